"""The milestone of a module as a function of whose code runs: the solutions, or other right answers."""

from dark.course.judging.bank import load_bank
from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import earlier_modules, load_module, repository_root
from dark.course.lessons.notebook_files import read_notebook


def cells_of(name, *first_words):
    """Return the cells of a solved notebook that begin with these words, one for each."""
    path = repository_root() / "solutions" / f"{load_module(name).stem}.ipynb"
    sources = [cell["source"] for cell in read_notebook(path)["cells"]]
    found = [[source for source in sources if source.startswith(words)] for words in first_words]
    assert all(len(each) == 1 for each in found), first_words
    return [source for (source,) in found]


def run(name, cells, which=None):
    """Run cells after the code of a module and of those before; return all names.

    All answers are the solutions, or the right answers number `which` of the bank.
    """
    module, labeled = load_module(name), []
    for each in (*earlier_modules(module), module):
        own = [part for part in load_module(each.id).parts if part.kind != "earlier"]
        earlier = "" if each is module else f"earlier {each.id} "  # what a notebook has as `mine`
        labeled += [(earlier + label, source) for label, source in arrange(own, answers_of(each.id, which))]
    return assemble(labeled, [(f"milestone {k}", cell) for k, cell in enumerate(cells)])


def answers_of(name, which):
    """Return a right answer to each exercise of a module, in the bank; none for the solutions."""
    if which is None:
        return {}
    module = load_module(name)
    banks = {exercise: load_bank(module, exercise).right for exercise in module.exercises}
    return {exercise: right[which % len(right)].source for exercise, right in banks.items()}
