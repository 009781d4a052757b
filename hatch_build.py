"""Add the solutions of the exercises, without outputs, to the wheel: they replace code that is not written yet."""

import json
import shutil
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SolutionsHook(BuildHookInterface):
    """The hook of hatchling that `pyproject.toml` names."""

    def initialize(self, version, build_data):
        """Write the solved notebooks without their outputs, and add the folder to the wheel."""
        if version == "editable":  # the clone has them
            return
        folder = Path(self.directory, ".solutions")
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(Path(self.root, "solutions").glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
            text = json.dumps(notebook, ensure_ascii=False)
            (folder / path.name).write_text(text, encoding="utf-8")
            build_data["force_include"][str(folder / path.name)] = f"dark/_solutions/{path.name}"

    def finalize(self, version, build_data, artifact_path):
        """Remove the folder."""
        shutil.rmtree(Path(self.directory, ".solutions"), ignore_errors=True)
