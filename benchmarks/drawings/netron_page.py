"""Netron: its server with the ONNX file of a network, and the picture that its page draws in chromium."""

import socket
import tempfile
from pathlib import Path
from shutil import which


def svg_of(network, example):
    """Return the SVG of the page."""
    import netron
    import torch
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        file = Path(folder, "network.onnx")
        torch.onnx.export(network, (example,), file, dynamo=False)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        netron.start(str(file), address=("127.0.0.1", port), browse=False)
        try:
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=which("chromium"))
                page = browser.new_page()
                page.goto(f"http://127.0.0.1:{port}")
                page.get_by_text("Accept").click()  # of cookies; the network is a file on this machine
                page.wait_for_selector("#canvas .node", timeout=30_000)
                picture = page.locator("#canvas").inner_html()
                box = page.locator("#canvas").bounding_box()
                browser.close()
        finally:
            netron.stop(("127.0.0.1", port))
    return f'<svg width="{box["width"]:.0f}" height="{box["height"]:.0f}">{picture}</svg>'
