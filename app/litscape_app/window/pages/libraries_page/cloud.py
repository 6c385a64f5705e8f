"""Folders that a service copies to other computers: a database in use does not go well there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SERVICES = (
    ("Dropbox", r"dropbox( \(.*\))?"),
    ("OneDrive", r"onedrive( ?[-–].*)?"),
    ("iCloud", r"mobile documents|com~apple~clouddocs|icloud ?drive"),
    ("Google Drive", r"google ?drive|googledrive-.*|my drive"),
    ("Box", r"box( sync)?"),
    ("Nextcloud", r"nextcloud|owncloud"),
    ("pCloud", r"pcloud ?drive"),
    ("Syncthing", r"\.stfolder"),
    ("a cloud service", r"cloudstorage"),
)


def cloud_service(folder: Path) -> str | None:
    """The service whose folder a path lies in, by the names on the path; None for none."""
    for part in reversed(folder.absolute().parts):
        for service, pattern in _SERVICES:
            if re.fullmatch(pattern, part, re.IGNORECASE):
                return service
    return None


def cloud_warning(service: str) -> str:
    """What to tell about a library in such a folder."""
    return (
        f"This library lies in a folder of {service}. Such services copy files while they are "
        "written and can damage a library: close Litscape on all other computers before you open "
        "it here, or move its folder elsewhere and let the service copy its backups."
    )
