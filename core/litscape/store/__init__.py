"""SQLite through SQLAlchemy: the only place where SQL stands."""
