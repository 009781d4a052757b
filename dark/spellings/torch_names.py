"""The names of the package `torch` that `dark` does not have: functions, dtypes, devices, modules."""

from dark.spellings.table import Row, in_place
from dark.spellings.tensor_names import CPU, FLOATS, FUNCTION, NEW_NODE, OF_VALUES

ARRAYS = "NumPy creates arrays."
RANDOM = "NumPy draws numbers, from a generator with a seed."
ON_A_CPU = CPU + " Omit it."

TORCH = (
    Row(
        "tensor as_tensor asarray from_numpy scalar_tensor FloatTensor DoubleTensor",
        ARRAYS, "`np.array([1.0, 2.0])` for data, `dark.Parameter(np.ones(3))` for what is trained",
    ),
    Row("LongTensor IntTensor ShortTensor CharTensor ByteTensor BoolTensor", ARRAYS, "`np.array([0, 2, 1])`"),
    Row("HalfTensor BFloat16Tensor", ARRAYS, "`np.ones(3, np.float16)`"),
    Row("Tensor is_tensor typename", "its class is Node.", "`dark.Node`, `isinstance(x, dark.Node)`"),
    Row("zeros ones empty", ARRAYS, "`np.{name}((2, 3))`; `dark.Parameter(np.zeros((2, 3)))`"),
    Row("full", ARRAYS, "`np.full((2, 3), 0.5)`"),
    Row("arange range:arange", ARRAYS, "`np.arange(5)`, `np.arange(5.0)`"),
    Row("linspace logspace", ARRAYS, "`np.{name}(0, 1, 5)`"),
    Row("eye", ARRAYS, "`np.eye(3)`"),
    Row("tril_indices triu_indices", ARRAYS, "`np.{name}(3)`"),
    Row("meshgrid cartesian_prod combinations", ARRAYS, "`np.meshgrid([1, 2], [3, 4], indexing='ij')`"),
    Row("bartlett_window blackman_window hamming_window hann_window kaiser_window", ARRAYS, "`np.hamming(5)`"),
    Row("complex polar view_as_complex view_as_real", FLOATS, "two nodes, for the real and the imaginary part"),
    Row("from_dlpack frombuffer from_file", ARRAYS, "`np.from_dlpack(y)`, `dark.Constant(y)`"),
    Row("to_dlpack", ARRAYS, "`x.detach()`, which other libraries read by DLPack"),
    Row("rand rand_like", RANDOM, "`np.random.default_rng(0).random((2, 3))`"),
    Row("randn normal randn_like", RANDOM, "`np.random.default_rng(0).normal(size=(2, 3))`, `size=x.shape`"),
    Row("randint randint_like", RANDOM, "`np.random.default_rng(0).integers(0, 10, (2, 3))`"),
    Row("randperm", RANDOM, "`np.random.default_rng(0).permutation(5)`"),
    Row(
        "multinomial bernoulli poisson binomial", RANDOM,
        "`np.random.default_rng(0).choice(3, p=[0.5, 0.25, 0.25])`, `np.random.default_rng(0).random(3) < 0.5`",
    ),
    Row(
        "distributions", "a density is one line.",
        "`-0.5 * np.sum(x**2)`, `np.random.default_rng(0).normal(0.0, 1.0)`",
    ),
    Row(
        "seed initial_seed random quasirandom", "layers and loaders have an argument `seed`.",
        "`dark.manual_seed(0)`, `nn.Linear(3, 2, seed=0)`",
    ),
    Row(
        "Generator default_generator get_rng_state set_rng_state thread_safe_generator", RANDOM,
        "`np.random.default_rng(0)`, `dark.engine.random_states()`",
    ),
    # dtypes
    Row(
        "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 half:float16 float:float32 "
        "double:float64 short:int16 int:int32 long:int64 bool:bool_ complex64 complex128 cfloat:complex64 "
        "cdouble:complex128 finfo iinfo inf nan pi e newaxis dtype promote_types result_type can_cast",
        "dtypes and constants are those of NumPy.", "`np.{name}`",
    ),
    Row("bfloat16 chalf complex32", "NumPy does not have it.", "`np.float16`, `np.float32`"),
    Row("Size", "a shape is a tuple.", "`tuple([2, 3])`"),
    Row(
        "set_default_dtype get_default_dtype set_default_tensor_type set_float32_matmul_precision "
        "get_float32_matmul_precision",
        "layers have an argument `dtype`, and an operation keeps the dtype of its inputs.",
        "`nn.Linear(3, 2, dtype=np.float32)`, `model.float()`",
    ),
    Row(
        "device cuda mps xpu mtia cpu backends accelerator set_default_device get_default_device set_num_threads "
        "get_num_threads set_num_interop_threads get_num_interop_threads get_device get_device_module Stream Event "
        "compiled_with_cxx11_abi version",
        ON_A_CPU, "`nn.Linear(3, 2)`",
    ),
    Row(
        "amp autocast GradScaler get_autocast_dtype set_autocast_enabled is_autocast_enabled", CPU,
        "float32 instead of float64: `model.float()`, `x.astype(np.float32)`",
    ),
    Row(
        "compile compiler jit fx export onnx cond while_loop", "there is nothing to compile.",
        "`model`; `np.where(mask, x, y)`",
    ),
    Row("vmap", "operations take arrays with any leading axes.", "`np.exp(x)`, `x @ x`"),
    Row("func", "the transformations are at the top.", "`dark.grad(np.exp)`, `dark.jacobian(np.exp)`"),
    Row(
        "autograd", "a gradient is a function, or an attribute after the backward pass.",
        "`dark.grad(np.exp)(1.0)`, `dark.jacobian(np.exp)`, `np.sum(x).backward(create_graph=True)`; a class that "
        "derives from `dark.Operation`",
    ),
    Row("inference_mode", "it is called no_grad.", "`dark.no_grad()`"),
    Row("set_grad_enabled enable_grad is_grad_enabled", "recording is on, but inside no_grad.", "`dark.no_grad()`"),
    Row("set_anomaly_enabled is_anomaly_enabled", "it is a context.", "`dark.anomaly()`"),
    Row(
        "use_deterministic_algorithms are_deterministic_algorithms_enabled set_deterministic_debug_mode",
        "every result is deterministic. Omit it.", "`dark.manual_seed(0)`",
    ),
    Row("set_printoptions set_flush_denormal", "NumPy prints arrays.", "`np.printoptions(precision=3)`"),
    Row(
        "layout memory_format contiguous_format channels_last preserve_format strided legacy_contiguous_format",
        "NumPy's layout is the only one. Omit it.", "`x`",
    ),
    Row(
        "sparse sparse_coo_tensor sparse_csr_tensor quantization quantize_per_tensor ao nested masked hub package",
        "nodes hold dense arrays of the dtypes of NumPy.", "`x.astype(np.float32)`",
    ),
    Row("fft stft istft", FLOATS, "`np.fft.fft(x.value)`, without a gradient"),
    Row("linalg", "NumPy's functions work on nodes.", "`np.linalg.norm(x)`, `np.linalg.inv(x)`"),
    Row("special", FUNCTION, "`dark.erf(x)`, `dark.logsumexp(x)`, `dark.softmax(x)`"),
    Row(
        "functional", "it is in `dark.nn`.", "`dark.nn.functional`, or the functions at the top: `dark.relu(x)`"
    ),
    Row("utils", "`torch.utils.data` is `dark.data`.", "`dark.data.DataLoader([1.0, 2.0])`"),
    Row("multiprocessing profiler testing", "Python has it.", "`dark.handlers.BasicTimeProfiler()`"),
    Row("serialization", "a file holds a state dict.", "`dark.save`, of `model.state_dict()`"),
    # functions
    Row(
        "absolute acos:arccos acosh:arccosh asin:arcsin asinh:arcsinh atan:arctan atanh:arctanh negative positive",
        FUNCTION, "`np.{name}(x)`",
    ),
    Row(
        "atan2:arctan2 divide fmax:maximum fmin:minimum float_power multiply subtract true_divide:divide mm:matmul "
        "bmm:matmul rsub:subtract",
        FUNCTION, "`np.{name}(x, y)`",
    ),
    Row(
        "clamp clamp_min clamp_max", "it is called clip.",
        "`np.clip(x, 0, 1)`, `np.maximum(x, 0)`, `np.minimum(x, 1)`",
    ),
    Row("rsqrt", FUNCTION, "`1 / np.sqrt(x)`"),
    Row("erfc", FUNCTION, "`1 - dark.erf(x)`"),
    Row("logit", FUNCTION, "`np.log(x / (4 - x))`, with 1 in place of 4"),
    Row("xlogy", FUNCTION, "`x * np.log(x)`"),
    Row("addmm addbmm addmv addr baddbmm addcmul addcdiv chain_matmul", FUNCTION, "`y + x @ x`, `y + x * x`"),
    Row("mv ger", FUNCTION, "`x @ x[0]`, `np.outer(x, x)`"),
    Row("vdot cross", FUNCTION, "`np.sum(x * y)`"),
    Row("lerp", FUNCTION, "`x + 0.5 * (y - x)`"),
    Row("concat:concatenate row_stack:vstack", FUNCTION, "`np.{name}([x, x])`"),
    Row(
        "chunk tensor_split split_with_sizes unsafe_split unsafe_chunk hsplit vsplit dsplit",
        "`dark.split` takes the number of parts.", "`dark.split(x, 2, axis=1)`, `dark.split(x, [1], axis=1)`",
    ),
    Row("unbind", FUNCTION, "`list(x)`"),
    Row("unsqueeze", FUNCTION, "`np.expand_dims(x, 0)`, `x.unsqueeze(0)`"),
    Row("permute", FUNCTION, "`np.transpose(x, (1, 0))`, `x.permute(1, 0)`"),
    Row("t adjoint", FUNCTION, "`x.T`"),
    Row("movedim:moveaxis", FUNCTION, "`np.moveaxis(x, 0, 1)`"),
    Row("swapdims:swapaxes", FUNCTION, "`np.swapaxes(x, 0, 1)`"),
    Row("fliplr flipud rot90", FUNCTION, "`np.flip(x, 1)`, `np.flip(x, 0)`"),
    Row("unflatten", FUNCTION, "`x.reshape(4)`"),
    Row("repeat_interleave", "it is called repeat.", "`np.repeat(x, 2, 1)`"),
    Row(
        "broadcast_tensors broadcast_shapes", "operations broadcast by themselves.",
        "`np.broadcast_to(x, (3, 2, 2))`",
    ),
    Row("masked_fill masked_scatter", FUNCTION, "`np.where(mask, 0.0, x)`"),
    Row("masked_select index_select narrow select", FUNCTION, "`x[mask]`, `x[[0, 1]]`, `x[:, 0:1]`"),
    Row("take_along_dim", FUNCTION, "`np.take_along_axis(x, np.array([[0], [1]]), 1)`"),
    Row(
        "scatter scatter_reduce index_add index_copy index_fill index_put index_reduce put slice_scatter "
        "select_scatter", NEW_NODE, "`dark.scatter_add(x[0], [0, 1], (3,))`, `np.where(mask, y, x)`",
    ),
    Row("amax:max amin:min", FUNCTION, "`np.{name}(x, axis=1)`"),
    Row("aminmax std_mean var_mean", "each has a function of its own.", "`x.min()`, `x.max()`, `x.std(ddof=1)`"),
    Row("median nanmedian mode kthvalue quantile nanquantile msort", FUNCTION, "`np.sort(x)[:, 0]`"),
    Row("topk", FUNCTION, "`np.sort(x)[:, -1:]`, `np.argsort(x.value)[:, -1:]`"),
    Row("cummax cummin logcumsumexp", "rare.", "`np.maximum.accumulate(x.value)`"),
    Row("nansum nanmean", FUNCTION, "`np.mean(x[mask])`"),
    Row("cov corrcoef", FUNCTION, "`(x - x.mean(0)).T @ (x - x.mean(0))`"),
    Row("dist cdist pdist pairwise_distance renorm", FUNCTION, "`np.linalg.norm(x - y)`"),
    Row("cosine_similarity", FUNCTION, "`np.sum(x * y) / (np.linalg.norm(x) * np.linalg.norm(y))`"),
    Row("frobenius_norm nuclear_norm norm_except_dim", FUNCTION, "`np.linalg.norm(x)`"),
    Row("inverse pinverse", FUNCTION, "`np.linalg.inv(x)`"),
    Row("logdet", FUNCTION, "`np.linalg.slogdet(x)[1]`"),
    Row("matrix_power matrix_exp", FUNCTION, "`x @ x @ x`"),
    Row("matrix_rank", FUNCTION, "`np.linalg.matrix_rank(x.value)`"),
    Row("lstsq triangular_solve cholesky_solve lu_solve", FUNCTION, "`np.linalg.solve(x, y)`"),
    Row("block_diag diagflat diag_embed", FUNCTION, "`np.diag(np.diag(x))`"),
    Row("trapz trapezoid cumulative_trapezoid gradient", FUNCTION, "`np.sum((x[1:] + x[:-1]) / 2)`, `np.diff(x)`"),
    Row("vander", FUNCTION, "`np.stack([x[0] ** 0, x[0], x[0] ** 2], axis=1)`"),
    Row("clone", "no operation changes a node, so none needs a copy.", "`x`, `x.value.copy()`"),
    Row("detach", "it is a method.", "`x.detach()`"),
    Row("numel", "it is an attribute, or a method.", "`x.size`, `x.numel()`"),
    Row(
        "dropout feature_dropout alpha_dropout", "it is in `dark.nn`.",
        "`nn.Dropout(0.5)(x)`, `nn.functional.dropout(x, 0.5)`",
    ),
    Row("embedding bilinear", "it is in `dark.nn`.", "`nn.Embedding(3, 2)(np.array([0, 1]))`"),
    Row(
        "cosine_embedding_loss hinge_embedding_loss kl_div triplet_margin_loss margin_ranking_loss "
        "binary_cross_entropy_with_logits ctc_loss poisson_nll_loss", "losses are in `dark.losses` and `dark.nn`.",
        "`losses.mse(x, y)`, `nn.KLDivLoss()`, `nn.functional.mse_loss(x, y)`",
    ),
    Row("pixel_shuffle pixel_unshuffle channel_shuffle celu selu rrelu hardshrink threshold", "one line each.",
        "`np.where(mask, x, 0.0)`, `x.reshape(4).reshape(2, 2)`"),
    Row("adaptive_avg_pool1d adaptive_max_pool1d", "rare, except for the mean of all positions.", "`x.mean(axis=-1)`"),
    Row("conv3d conv_transpose3d max_pool3d", "networks on volumes are too slow on a CPU.", "slices as images"),
    Row(
        "lstm_cell gru_cell rnn_tanh rnn_tanh_cell rnn_relu rnn_relu_cell", "it is in `dark.nn`.",
        "`nn.LSTMCell(3, 2)`",
    ),
    Row("instance_norm", "it is in `dark.nn`.", "`nn.InstanceNorm1d(3)`"),
    # values
    Row(
        "all any argmax argmin argsort argwhere ceil count_nonzero floor isfinite isinf isnan isneginf isposinf "
        "isreal logical_not nonzero round sign signbit trunc unique fix:trunc sgn:sign", OF_VALUES,
        "`np.{name}(x.value)`",
    ),
    Row(
        "allclose copysign eq:equal equal:array_equal floor_divide ge:greater_equal greater greater_equal gt:greater "
        "heaviside isclose isin le:less_equal less less_equal logical_and logical_or logical_xor lt:less ne:not_equal "
        "nextafter not_equal",
        OF_VALUES, "`np.{name}(x.value, y)`",
    ),
    Row("frac", OF_VALUES, "`x % 1`"),
    Row(
        "bincount histc histogram histogramdd bucketize searchsorted unique_consecutive", OF_VALUES,
        "`np.unique(x.value)`, `np.bincount([0, 1, 1])`",
    ),
    Row("frexp ldexp logaddexp2", "rare.", "`np.frexp(x.value)`, `x * 2.0**3`"),
    Row("is_complex is_floating_point is_nonzero is_same_size is_signed is_storage", FLOATS, "`x.dtype`, `x.shape`"),
    Row("real imag angle conj", FLOATS, "`x`, which is real"),
    Row("bitwise_and bitwise_not bitwise_or bitwise_xor gcd lcm", FLOATS, "`(x > 0) & (x < 1)`, `~(x > 0)`"),
    Row(
        "digamma erfinv i0 igamma igammac lgamma lobpcg lu lu_unpack mvlgamma orgqr ormqr pca_lowrank polygamma "
        "svd_lowrank symeig eig cholesky_inverse geqrf unravel_index segment_reduce grid_sampler "
        "affine_grid_generator embedding_bag", "rare.",
        "an operation of your own, as in CONTRIBUTING.md, or NumPy on `x.value`",
    ),
    Row(
        in_place(
            "abs acos acosh asin asinh atan atanh ceil clamp clip cos cosh detach dropout erf exp exp2 expm1 fill "
            "floor log log10 log1p log2 logit nan_to_num neg reciprocal relu round rrelu rsqrt selu sigmoid sin sinh "
            "sqrt square tan tanh threshold trunc zero"
        ),
        NEW_NODE, "`x = np.exp(x)`",
    ),
)  # fmt: skip
