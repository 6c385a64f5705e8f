"""The example library, icons and styles that ship with Litscape."""
