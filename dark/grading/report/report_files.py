"""The files of a report, which are made from the gradebook; each is written atomically."""

from pathlib import Path

from dark.course.lessons.notebook_files import save_file
from dark.errors import CourseError
from dark.grading.report.grade_table import grades_csv
from dark.grading.report.hidden_table import hidden_page, hidden_rows
from dark.grading.report.html_pages import index_page, submission_page
from dark.grading.report.results_file import as_json, results_lines, save_lines


class ReportFiles:
    """The files in the folder of a report; further pages are, by name of the file, a title and a function."""

    def __init__(self, folder, pages=()):
        self.folder, self._pages = Path(folder), dict(pages)
        self._results: dict = {}

    def save_tables(self, results: dict, rows: list[dict], shown):
        """Write the files that list all submissions; those `shown` have the details of their questions."""
        self.save("results.json", results_lines(results, shown))
        results["submissions"] = rows
        self._results = results
        self.save("grades.csv", grades_csv([row for row in rows if row.get("counts", True)]))
        self.save("index.html", index_page(results, self._pages if results["complete"] else ()))
        if hidden := hidden_rows(rows):
            self.save("teacher/hidden.json", as_json(hidden))
            self.save("teacher/hidden.html", hidden_page(hidden))

    def save_pages(self, results: dict, records, reports):
        """Write the pages of submissions that have changed, with the `reports` by name, and the further pages."""
        for record in records:
            page, path = submission_page(record, reports(record["submission"])), self.folder / record["page"]
            if not path.is_file() or path.read_bytes() != page.encode():
                self.save(record["page"], page)
        for name, (_, make) in self._pages.items():
            self.save(name, make(results))

    def add_page(self, name, title, text):
        """Write a further page when the tables are written, and let the list of submissions link to it."""
        self.save(name, text)
        self._pages[name] = title, lambda results: text
        self.save("index.html", index_page(self._results, self._pages))

    def save(self, name: str, text):
        """Write a file of the report, by its name below the folder; the text may come in lines."""
        try:
            (save_file if isinstance(text, str) else save_lines)(self.folder / name, text)
        except OSError as error:
            what = f"{self.folder / name}: cannot be written ({error.strerror})."
            advice = "another folder for --out; the results so far are saved in this one"
            raise CourseError(what, "free disk space, and a folder with write permission.", advice) from error
