"""Looking up what papers cite, and values that they lack, at services on the internet.

Only ever on request: whoever calls has shown what is sent where (:func:`describe.sent`) and has
the person's consent.
"""
