"""Topics: papers that belong together by their vectors, at several levels, named and edited."""
