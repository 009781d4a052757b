"""Every operation: its first and second derivatives against finite differences; dtypes, shapes and memory."""

import numpy as np

import dark
from tests.operations.cases import each_case
from tests.operations.numerics import assert_close, gradients, loss, slopes, weights


@each_case
def test_the_gradient_equals_finite_differences(case):
    x = case.draw()
    _, leaves = gradients(case.apply, x)
    for leaf, measured in zip(leaves, slopes(lambda x: loss(case.apply, x), x)):
        assert_close(leaf.grad, measured, 1e-7)


@each_case
def test_create_graph_gives_the_same_gradient(case):
    x = case.draw()
    _, plain = gradients(case.apply, x)
    _, recorded = gradients(case.apply, x, create_graph=True)
    for a, b in zip(plain, recorded):
        assert_close(b.grad.value if isinstance(b.grad, dark.Node) else b.grad, a.grad, 1e-12)


@each_case
def test_the_second_derivative_equals_finite_differences(case):
    x = case.draw()

    def first(x):
        """Compute the weighted sum of the gradients, whose derivative is the second derivative."""
        return sum(float((leaf.grad * weights(leaf.shape)).sum()) for leaf in gradients(case.apply, x)[1])

    _, leaves = gradients(case.apply, x, create_graph=True)
    total = dark.Constant(0.0)
    for leaf in leaves:
        total, leaf.grad = total + dark.sum(leaf.grad * weights(leaf.shape)), None
    if total.requires_grad:
        total.backward()
    for leaf, measured in zip(leaves, slopes(first, x)):
        second = np.zeros(leaf.shape) if leaf.grad is None else leaf.grad
        assert_close(second, measured, 1e-6)


@each_case
def test_gradients_have_the_shape_and_the_dtype_of_their_inputs(case):
    for dtype in (np.float64, np.float32):
        x = case.draw(dtype)
        _, leaves = gradients(case.apply, x)
        for leaf, v in zip(leaves, x):
            assert np.shape(leaf.grad) == np.shape(v)
            assert np.asarray(leaf.grad).dtype == dtype
            assert type(leaf.grad) is type(leaf.value)


@each_case
def test_the_gradient_in_float32_is_that_in_float64_rounded(case):
    x = case.draw(np.float32)
    _, single = gradients(case.apply, x)
    _, double = gradients(case.apply, [v.astype(float) for v in x])
    for a, b in zip(single, double):
        assert_close(a.grad, b.grad, 1e-3)


@each_case
def test_no_gradient_shares_memory_with_another_array(case):
    x = case.draw()
    y, leaves = gradients(lambda *p: case.apply(*[+1.0 * n for n in p]), x)
    nodes = dark.topological_order(y)
    values = [n.value for n in nodes]
    settings = [v for n in nodes for v in (n.settings or {}).values() if isinstance(v, np.ndarray)]
    grads = [n.grad for n in nodes if n.grad is not None]
    for k, g in enumerate(grads):
        assert not any(np.shares_memory(g, other) for other in [*x, *values, *settings, *grads[:k]])
        assert not isinstance(g, np.ndarray) or g.flags.writeable
    for leaf in leaves:
        assert np.isfinite(leaf.grad).all()


@each_case
def test_a_rule_returns_a_view_of_nothing_but_the_incoming_gradient(case):
    x, op = case.draw(), case.op
    rules = op.vjps if op.trusted and op.vjps and any(map(np.ndim, x)) else ()  # scalars have no views
    settings = dict(case.settings)
    y = op._f(*x, **settings) if rules else None
    held = [*x, *settings.values()]
    if rules and op.saves:
        y, settings["saved"] = y
        held += settings["saved"] if isinstance(settings["saved"], tuple) else [settings["saved"]]
    held.append(y)
    dldy = np.ones(np.shape(y))
    for _, rule in zip(x, rules):
        g = np.asarray(rule(dldy, y, *x, **settings))
        if not np.shares_memory(g, dldy):
            assert not any(np.shares_memory(g, v) for v in held if isinstance(v, np.ndarray))


@each_case
def test_only_inputs_that_require_a_gradient_get_one(case):
    x = case.draw()
    _, all_of_them = gradients(case.apply, x)
    for k in range(len(x)):
        leaf = dark.Parameter(x[k])
        y = case.apply(*x[:k], leaf, *x[k + 1 :])
        y.backward(weights(y.shape) if y.ndim else float(weights(())))
        assert_close(leaf.grad, all_of_them[k].grad, 1e-14)
        assert all(n.grad is None for n in dark.topological_order(y) if n.op is None and n is not leaf)


@each_case
def test_non_contiguous_inputs_get_the_same_gradient(case):
    x = case.draw()
    _, right = gradients(case.apply, x)
    leaves = [dark.Parameter(np.asarray(v).T) for v in x]
    y = case.apply(*[np.transpose(leaf) if leaf.ndim else leaf for leaf in leaves])
    y.backward(weights(y.shape) if y.ndim else float(weights(())))
    for leaf, r in zip(leaves, right):
        assert_close(np.transpose(leaf.grad), r.grad, 1e-13)


@each_case
def test_gradients_of_floats_are_floats(case):
    if any(case.shapes):
        return
    leaves = [dark.Parameter(float(v)) for v in case.draw()]
    y = case.apply(*leaves)
    y.backward(weights(y.shape) if y.ndim else None)
    assert [type(leaf.grad) for leaf in leaves] == [float] * len(leaves)


@each_case
def test_arrays_and_floats_give_the_same_results(case):
    if not case.op.elementwise or np.ndim(case.settings.get("condition")):
        return
    x = case.draw()
    y, leaves = gradients(case.apply, x)
    for place in np.ndindex(y.shape):
        numbers = [dark.Parameter(float(np.broadcast_to(v, y.shape)[place])) for v in x]
        z = case.apply(*numbers)
        assert_close(z.value, y.value[place] if y.ndim else y.value, 1e-14)
        z.backward()
        if all(leaf.shape == y.shape for leaf in leaves):
            w = weights(y.shape)[place]
            for leaf, number in zip(leaves, numbers):
                assert_close(leaf.grad[place] if y.ndim else leaf.grad, w * number.grad, 1e-14)


@each_case
def test_a_scalar_gradient_equals_an_array_of_it(case):
    x = case.draw()
    ways = []
    for back in (lambda y: dark.sum(y).backward(), lambda y: y.backward(np.ones(y.shape) if y.ndim else 1.0)):
        leaves = [dark.Parameter(v) for v in x]
        back(case.apply(*leaves))
        ways.append(leaves)
    for a, b in zip(*ways):
        assert_close(a.grad, b.grad, 1e-12)
