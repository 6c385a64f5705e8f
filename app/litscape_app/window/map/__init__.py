"""The map: papers as points whose nearness is the likeness of what they say."""
