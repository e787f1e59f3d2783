"""Hints for errors of the operating system, by their kind: a full disk asks for something else than a busy port."""

from __future__ import annotations

import errno
import socket

PORT_IN_USE = "another program listens there: end it, or name another port"
OTHER_ADDRESS = "give --host an address of this machine: 127.0.0.1, or 0.0.0.0 for all"
NOBODY_LISTENS = "nobody listens there: check host and port, and that the other program has started"
OUT_OF_REACH = "check the host, and that a network leads to it"
PERMISSION = "check the permissions; ports below 1024 need special ones"
CONNECTION_ENDED = "the other program ended the connection; its own log may say why"

BY_NUMBER = {
    errno.EADDRINUSE: PORT_IN_USE,
    errno.EADDRNOTAVAIL: OTHER_ADDRESS,
    errno.ECONNREFUSED: NOBODY_LISTENS,
    errno.ECONNRESET: CONNECTION_ENDED,
    errno.ECONNABORTED: CONNECTION_ENDED,
    errno.ETIMEDOUT: OUT_OF_REACH,
    errno.EHOSTUNREACH: OUT_OF_REACH,
    errno.ENETUNREACH: OUT_OF_REACH,
    errno.ENOENT: "check the path: each folder on the way must be there",
    errno.ENOTDIR: "check the path: a part of it is a file and no folder",
    errno.EISDIR: "this is a folder: name a file in it",
    errno.EEXIST: "there is one already: name another",
    errno.EROFS: "nothing can be written there: name a place on another file system",
    errno.ENOSPC: "the disk is full: free some space, or name a place on another one",
    errno.EMFILE: "this process has too many files and connections open: ulimit -n sets how many it may have",
    errno.ENFILE: "too many files and connections are open on this machine",
    errno.ENOMEM: "there is too little memory: end other programs",
}
ON_FILES = "check the path, the permissions and the space left"


def hint_of(error: OSError) -> str:
    """What can be done about *error*; nothing where neither its number nor a file tells.

    >>> hint_of(OSError(errno.EADDRINUSE, "Address already in use"))
    'another program listens there: end it, or name another port'
    """
    if isinstance(error, socket.gaierror):
        return "no address is known by this name: check its spelling, and the network"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "check the permissions" if error.filename else PERMISSION
    return BY_NUMBER.get(error.errno or 0, ON_FILES if error.filename else "")
