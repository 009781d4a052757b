"""The methods of PyTorch's tensors and modules that nodes and modules of `dark` do not have."""

from dark.spellings.table import Row, in_place

FUNCTION = "operations are functions, as in NumPy."
METHOD = "nodes have the names of NumPy."
OF_VALUES = "its derivative is 0 wherever it exists, or it does not return numbers; NumPy computes it from the value."
NUMPY = "a NumPy function works on nodes."
CPU = "NumPy computes on a CPU."
NEW_NODE = "nothing changes a node in place: the backward pass still needs its value."
FLOATS = "nodes hold floats; NumPy has integers, bools and complex numbers."

TENSOR = (
    Row("abs absolute arccos arccosh arcsin arcsinh arctan arctanh acos:arccos acosh:arccosh asin:arcsin "
        "asinh:arcsinh atan:arctan atanh:arctanh cos cosh deg2rad exp exp2 expm1 log log10 log1p log2 nan_to_num "
        "negative positive rad2deg reciprocal sin sinc sinh sqrt square tan tanh neg:negative", FUNCTION,
        "`np.{name}(x)`"),
    Row("add sub:subtract mul:multiply div:divide pow:power divide multiply subtract true_divide arctan2 "
        "atan2:arctan2 float_power fmod hypot logaddexp maximum minimum fmax:maximum fmin:minimum remainder inner "
        "kron matmul mm:matmul bmm:matmul outer ger:outer", FUNCTION, "`np.{name}(x, y)`"),
    Row("sigmoid relu erf", FUNCTION, "`dark.{name}(x)`"),
    Row("log_softmax softmax", FUNCTION, "`dark.{name}(x, dim=-1)`"),
    Row("logsumexp", FUNCTION, "`dark.logsumexp(x, dim=-1)`"),
    Row("mv", METHOD, "`x @ x[0]`"),
    Row("addmm", METHOD, "`y + x @ x`"),
    Row("baddbmm addbmm addmv addr addcmul", METHOD, "`y + x * x`, `y + x @ x`"),
    Row("addcdiv", METHOD, "`y + x / x`"),
    Row("rsqrt", METHOD, "`1 / np.sqrt(x)`"),
    Row("erfc", METHOD, "`1 - dark.erf(x)`"),
    Row("logit", METHOD, "`np.log(x / (4 - x))`, with 1 in place of 4"),
    Row("xlogy", METHOD, "`x * np.log(x)`"),
    Row("lerp", METHOD, "`x + 0.5 * (y - x)`"),
    Row("clamp clamp_min clamp_max", "it is called clip.",
        "`np.clip(x, 0, 1)`, `np.maximum(x, 0)`, `np.minimum(x, 1)`"),
    Row("masked_fill masked_scatter where", METHOD, "`np.where(mask, 0.0, x)`"),
    Row("masked_select", METHOD, "`x[mask]`"),
    Row("amax amin aminmax", METHOD, "`x.max(axis=1)`, `x.min(axis=1)`"),
    Row("dim ndimension", METHOD, "`x.ndim`"),
    Row("nelement", METHOD, "`x.size`, `x.numel()`"),
    Row("t H mT mH adjoint", METHOD, "`x.T`, `x.swapaxes(-1, -2)`"),
    Row("movedim", METHOD, "`np.moveaxis(x, 0, -1)`"),
    Row("moveaxis", METHOD, "`np.moveaxis(x, 0, -1)`"),
    Row("swapdims", METHOD, "`x.swapaxes(0, 1)`"),
    Row("flip fliplr flipud", METHOD, "`np.flip(x, 0)`, `np.flip(x, 1)`"),
    Row("roll", METHOD, "`np.roll(x, 1, 0)`"),
    Row("rot90", METHOD, "`np.flip(x.T, 0)`"),
    Row("tile repeat_interleave", METHOD, "`np.tile(x, (2, 1))`, `np.repeat(x, 2, 1)`"),
    Row("expand broadcast_to expand_as sum_to_size", METHOD,
        "`np.broadcast_to(x, (3, 2, 2))`; most operations broadcast by themselves"),
    Row("view_as reshape_as unflatten resize resize_as", METHOD, "`x.reshape(4)`, `x.reshape(y.shape)`"),
    Row("split chunk tensor_split split_with_sizes unsafe_split unsafe_chunk unsafe_split_with_sizes hsplit dsplit "
        "vsplit",
        "`dark.split` and `np.split` take the number of parts, or where to cut; not the size of a part.",
        "`dark.split(x, 2, axis=1)`, `dark.split(x, [1], axis=1)`"),
    Row("unbind", METHOD, "`list(x)`"),
    Row("index_select index narrow narrow_copy select", METHOD, "`x[[0, 1]]`, `x[:, 0:1]`, `x[:, 0]`"),
    Row("gather", METHOD, "`np.take_along_axis(x, np.array([[0], [1]]), 1)`"),
    Row("take_along_dim", METHOD, "`np.take_along_axis(x, np.array([[0], [1]]), 1)`"),
    Row("scatter scatter_add scatter_reduce index_add index_copy index_fill index_put index_reduce put slice_scatter "
        "select_scatter diagonal_scatter as_strided_scatter",
        NEW_NODE, "`dark.scatter_add(x[0], [0, 1], (3,))`, `np.where(mask, y, x)`"),
    Row("tril triu", METHOD, "`np.{name}(x)`"),
    Row("diag diagflat diag_embed", METHOD, "`np.diag(x)`"),
    Row("diff", METHOD, "`np.diff(x)`"),
    Row("sort msort", "`np.sort` returns the sorted elements alone.", "`np.sort(x, axis=-1)`, `np.argsort(x.value)`"),
    Row("median nanmedian mode kthvalue quantile nanquantile", METHOD, "`np.sort(x)[:, 0]`"),
    Row("topk", METHOD, "`np.sort(x)[:, -1:]`, `np.argsort(x.value)[:, -1:]`"),
    Row("cummax cummin logcumsumexp", "rare.", "`np.maximum.accumulate(x.value)`, or a loop of `np.maximum`"),
    Row("norm renorm", METHOD, "`np.linalg.norm(x)`"),
    Row("dist", METHOD, "`np.linalg.norm(x - y)`"),
    Row("inverse pinverse", METHOD, "`np.linalg.inv(x)`"),
    Row("cholesky slogdet det svd qr", METHOD, "`np.linalg.{name}(x @ x.T)`"),
    Row("logdet", METHOD, "`np.linalg.slogdet(x)[1]`"),
    Row("solve lstsq triangular_solve lu_solve cholesky_solve", METHOD, "`np.linalg.solve(x, y)`"),
    Row("matrix_power matrix_exp", METHOD, "`x @ x @ x`"),
    Row("cross vdot", METHOD, "`np.sum(x * y)`"),
    Row("nanmean nansum", METHOD, "`np.mean(x[mask])`"),
    Row("cov corrcoef", METHOD, "`(x - x.mean(0)).T @ (x - x.mean(0))`"),
    Row("prelu", FUNCTION, "`dark.prelu(x, 0.25)`"),
    Row("hardshrink", "rare.", "`np.where(mask, x, 0.0)`"),
    # values
    Row("all any argmax argmin argsort argwhere ceil count_nonzero floor isclose:isfinite isfinite isinf isnan "
        "isneginf isposinf isreal logical_not nonzero sign signbit trunc unique round fix:trunc sgn:sign", OF_VALUES,
        "`np.{name}(x.value)`"),
    Row("allclose copysign eq:equal equal:array_equal floor_divide ge:greater_equal greater greater_equal gt:greater "
        "heaviside le:less_equal less less_equal logical_and logical_or logical_xor lt:less ne:not_equal nextafter "
        "not_equal",
        OF_VALUES, "`np.{name}(x.value, y)`"),
    Row("frac", OF_VALUES, "`x % 1`"),
    Row("bincount histc histogram unique_consecutive hash_tensor", OF_VALUES, "`np.unique(x.value)`"),
    Row("frexp ldexp logaddexp2", "rare.", "`np.frexp(x.value)`, `x * 2.0**3`"),
    Row("is_nonzero", METHOD, "`bool(x.value.any())`"),
    Row("data", "it is called value.", "`x.value`, `p.value = p.value - 0.1`"),
    Row("values indices", "`max`, `min` and `sort` return the elements alone.", "`np.argmax(x.value, axis=1)`"),
    Row("clone", "no operation changes a node, so none needs a copy.",
        "`x`; `x.value.copy()`, for an array of your own; `copy.deepcopy(p)`, for a Parameter"),
    Row("contiguous resolve_conj resolve_neg conj conj_physical coalesce to_dense dequantize", "omit it.", "`x`"),
    Row("is_contiguous stride storage_offset as_strided data_ptr", METHOD, "`x.value.strides`"),
    Row("nbytes itemsize element_size", METHOD, "`x.value.nbytes`, `x.value.itemsize`"),
    Row("cpu cuda xpu ipu mtia pin_memory to_mkldnn share_memory_ record_stream", CPU + " Omit it.", "`x`"),
    Row("device get_device is_cpu is_cuda is_xpu is_mps is_meta layout", CPU + " Omit it.", "`x.dtype`"),
    Row("to type", "it is called astype.", "`x.astype(np.float32)`"),
    Row("type_as", "it is called astype.", "`x.astype(y.dtype)`"),
    Row("float double half:float16 bfloat16:float16", "it is called astype.",
        "`x.astype(np.float32)`, `x.astype(float)`"),
    Row("int long short bool byte char cfloat cdouble chalf", FLOATS, "`x.value.astype(int)`"),
    Row("real imag angle is_complex is_conj is_neg is_signed is_floating_point", FLOATS, "`x.dtype`"),
    Row("requires_grad_", "`requires_grad` is an attribute of a Parameter.",
        "`dark.Parameter(np.ones(3))`, `p.requires_grad = False`"),
    Row("detach_", "`detach` returns a Constant.", "`x.detach()`"),
    Row("grad_fn is_leaf", "a result knows its operation and its inputs.", "`x.op`, `x.inputs`"),
    Row("retain_grad retains_grad", "a result keeps its gradient, if it is small or has a name.",
        "`x.name = 'x'`, before the backward pass"),
    Row("register_post_accumulate_grad_hook", METHOD, "`x.register_hook(print)`"),
    Row("new new_empty new_full new_ones new_tensor new_zeros new_empty_strided", "NumPy creates arrays.",
        "`np.zeros(3, x.dtype)`, `np.ones_like(x)`"),
    Row("zero_", NEW_NODE, "`p.grad = None`, `optimizer.zero_grad()`, `nn.init.zeros_(p)`"),
    Row("normal_ uniform_ log_normal_ exponential_ bernoulli_ cauchy_ geometric_ random_",
        "a Parameter is initialized by `nn.init`.", "`nn.init.normal_(p)`, `nn.init.uniform_(p)`"),
    Row("copy_ fill_ set_", NEW_NODE, "`p.value = np.ones(3)`"),
    Row("clamp_ clip_", NEW_NODE, "`p.value = np.clip(p.value, 0, 1)`"),
    Row("bernoulli multinomial", "NumPy draws numbers.", "`np.random.default_rng(0).choice(3, p=[0.5, 0.25, 0.25])`"),
    Row("bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor gcd lcm", FLOATS,
        "`(x > 0) & (x < 1)`, `~(x > 0)`"),
    Row("reinforce volatile output_nr grad_dtype is_inference is_shared is_pinned is_distributed "
        "apply_ map_ map2_ module_load storage storage_type untyped_storage const_data_ptr dim_order is_set_to "
        "as_subclass is_same_size",
        "it belongs to PyTorch's memory or its extensions.", "`x.value`"),
    Row("to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr sparse_dim sparse_mask "
        "sparse_resize_ sparse_resize_and_clear_ is_sparse is_sparse_csr dense_dim ccol_indices col_indices "
        "crow_indices row_indices is_coalesced smm sspaddmm resize_as_sparse_ int_repr is_quantized "
        "q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qscheme "
        "is_nested to_padded_tensor is_ipu is_maia is_mkldnn is_mtia is_vulkan is_xla slice_inverse nonzero_static",
        "nodes hold dense arrays of the dtypes of NumPy.", "`x.value`"),
    Row("cholesky_inverse digamma eig erfinv geqrf i0 igamma igammac istft lgamma lu mvlgamma orgqr ormqr polygamma "
        "stft symeig unfold",
        "rare.", "an operation of your own, as in CONTRIBUTING.md, or NumPy on `x.value`"),
    Row(
        in_place(
            "abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr arccos arccosh arcsin arcsinh "
            "arctan arctan2 arctanh as_strided asin asinh atan atan2 atanh baddbmm bitwise_and bitwise_left_shift "
            "bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clamp_max clamp_min conj_physical copysign "
            "cos cosh cumprod cumsum deg2rad digamma div divide eq erf erfc erfinv exp exp2 expm1 fill_diagonal fix "
            "float_power floor floor_divide fmod frac gcd ge greater greater_equal gt heaviside hypot i0 igamma "
            "igammac index_add index_copy index_fill index_put index_reduce lcm ldexp le lerp less less_equal lgamma "
            "log log10 log1p log2 logical_and logical_not logical_or logical_xor logit lt masked_fill masked_scatter "
            "mul multiply mvlgamma nan_to_num ne neg negative nextafter not_equal polygamma pow put rad2deg "
            "reciprocal relu remainder renorm resize resize_as round rsqrt scatter scatter_add scatter_reduce sgn "
            "sigmoid sign sin sinc sinh sqrt square squeeze sub subtract swapaxes swapdims t tan tanh transpose tril "
            "triu true_divide trunc unsqueeze xlogy"
        ),
        NEW_NODE, "`x = x + 1`, `x = np.exp(x)`; for a Parameter, `p.value = p.value + 1`",
    ),
)  # fmt: skip

MODULE = (
    Row("cpu cuda xpu ipu mtia to_empty share_memory compile", CPU + " Omit it.", "`model`"),
    Row("half:float16 bfloat16:float16 type:float32", "it is called to.", "`model.to(np.{name})`"),
    Row("register_module", "it is called add_module.", "`model.add_module('name', nn.ReLU())`"),
    Row("set_submodule", "a submodule is an attribute.", "`model.layer = nn.ReLU()`"),
    Row("register_backward_hook register_full_backward_pre_hook", "one hook sees both gradients.",
        "`model.register_full_backward_hook(print)`"),
    Row("get_extra_state set_extra_state register_state_dict_pre_hook register_state_dict_post_hook "
        "register_load_state_dict_pre_hook register_load_state_dict_post_hook T_destination call_super_init "
        "dump_patches",
        "a state dict holds the parameters and the buffers, nothing else.", "`model.state_dict()`"),
)  # fmt: skip
