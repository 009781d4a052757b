"""The files of a report, which are made from the gradebook; each is written atomically."""

from pathlib import Path

from dark.course.lessons.notebook_files import save_file
from dark.errors import CourseError
from dark.grading.report.grade_table import grades_csv
from dark.grading.report.hidden_table import hidden_page, hidden_rows
from dark.grading.report.html_pages import index_page, submission_page
from dark.grading.report.record import as_json
from dark.grading.report.results_file import results_lines, save_lines


class ReportFiles:
    """The files in the folder of a report.

    Parameters
    ----------
    folder : path
        The folder.
    pages : dict of str to (str, callable)
        Further pages: by name of the file, the title, and the function that makes the page of the results.
    """

    def __init__(self, folder, pages=()):
        self.folder, self._pages, self._results = Path(folder), dict(pages), None

    def save_tables(self, results, rows, shown):
        """Write the files that list all submissions.

        Parameters
        ----------
        results : dict
            The content of results.json, without the submissions, which are added.
        rows : list of dict
            The submissions.
        shown : iterable of dict
            The same with the details of their questions.
        """
        self.save("results.json", results_lines(results, shown))
        results["submissions"] = rows
        self._results = results
        self.save("grades.csv", grades_csv([row for row in rows if row.get("counts", True)]))
        self.save("index.html", index_page(results, self._pages if results["complete"] else ()))
        if hidden := hidden_rows(rows):
            self.save("teacher/hidden.json", as_json(hidden))
            self.save("teacher/hidden.html", hidden_page(hidden))

    def save_pages(self, results, records, reports):
        """Write the pages of submissions that have changed, and the further pages.

        Parameters
        ----------
        results : dict
            The content of results.json.
        records : iterable of dict
            The records, with their manual marks and the names of their students.
        reports : callable
            Returns the feedback on a submission by its name.
        """
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

    def save(self, name, text):
        """Write a file of the report.

        Parameters
        ----------
        name : str
            Its name below the folder.
        text : str or iterable of str
            The content, as a whole or in lines.
        """
        try:
            (save_file if isinstance(text, str) else save_lines)(self.folder / name, text)
        except OSError as error:
            raise CourseError(
                f"{self.folder / name}: cannot be written ({error.strerror}).",
                "free disk space, and a folder with write permission.",
                "another folder for --out; the results so far are saved in this one",
            ) from error
