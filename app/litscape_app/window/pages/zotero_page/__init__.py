"""The page on which papers are taken from Zotero."""
