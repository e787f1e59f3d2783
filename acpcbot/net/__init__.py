"""Sockets and clocks around the pure cores; with acpcbot.web the only place that knows asyncio."""
