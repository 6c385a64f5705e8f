"""States of a run on disk, each whole or not there, and the model folder made of the best."""
