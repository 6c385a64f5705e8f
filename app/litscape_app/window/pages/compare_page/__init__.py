"""Two models beside each other: what each finds near the chosen paper."""
