"""The names of PyTorch's packages `nn`, `optim` and `utils.data`, and of Ignite's, that `dark` does not have."""

from dark.spellings.table import Row

VOLUMES = "networks on volumes are too slow on a CPU."
ONE_LINE = "one line each."

NN = (
    Row("Conv3d ConvTranspose3d MaxPool3d AvgPool3d AdaptiveAvgPool3d AdaptiveMaxPool3d FractionalMaxPool3d LPPool3d "
        "MaxUnpool3d Dropout3d ReflectionPad3d ReplicationPad3d CircularPad3d ConstantPad3d ZeroPad3d",
        VOLUMES, "slices as images"),
    Row("AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d FractionalMaxPool2d LPPool1d "
        "LPPool2d MaxUnpool1d MaxUnpool2d", "rare, except for the mean of all positions.",
        "`nn.Function(lambda x: np.mean(x, axis=(2, 3), keepdims=True))`"),
    Row("CELU SELU Hardtanh Hardswish Hardsigmoid Hardshrink Softshrink Tanhshrink Threshold RReLU ReLU6 Softsign "
        "Softmax2d",
        ONE_LINE, "`nn.Function(lambda x: np.clip(x, 0, 6))`"),
    Row("ZeroPad1d ZeroPad2d ConstantPad1d ConstantPad2d ReflectionPad1d ReflectionPad2d ReplicationPad1d "
        "ReplicationPad2d CircularPad1d CircularPad2d",
        ONE_LINE, "`nn.Function(lambda x: dark.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))))`"),
    Row("PixelShuffle PixelUnshuffle ChannelShuffle Fold Unfold", ONE_LINE,
        "`nn.Function(lambda x: x.reshape(-1, 3, 8, 8))`"),
    Row("Unflatten", ONE_LINE, "`nn.Function(lambda x: x.reshape(len(x), 2, 2))`"),
    Row("LazyLinear LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d "
        "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d "
        "UninitializedParameter UninitializedBuffer",
        "sizes are given, and an error names the right one.", "`nn.Linear(3, 2)`"),
    Row("EmbeddingBag Bilinear CosineSimilarity PairwiseDistance LocalResponseNorm CrossMapLRN2d Dropout1d Dropout2d "
        "AlphaDropout FeatureAlphaDropout",
        "rare.", "a module with the formula in `forward`; `nn.Dropout(0.5)`"),
    Row("Transformer TransformerDecoder TransformerDecoderLayer", "to be composed.", "`nn.MultiheadAttention(4, 2)`"),
    Row("Parameter Buffer ParameterList ParameterDict", "a parameter is an attribute, and `dark` has its class.",
        "`dark.Parameter(np.zeros(3))`, `model.register_buffer('mask', np.ones(3))`"),
    Row("Container RNNBase RNNCellBase", "a base class is Module.", "`nn.Module`"),
    Row("NLLLoss2d", "second ways to do the same.", "`nn.NLLLoss()`"),
    Row("UpsamplingNearest2d UpsamplingBilinear2d", "second ways to do the same.", "`nn.Upsample(scale_factor=2)`"),
    Row("DataParallel SyncBatchNorm parallel",
        "a strategy divides batches, and batch normalization looks at its shard.",
        "`dark.distributed.Replicas(2).backward`, in one process or, with `MPI`, in many"),
    Row("CTCLoss PoissonNLLLoss GaussianNLLLoss MarginRankingLoss SoftMarginLoss MultiLabelMarginLoss "
        "MultiLabelSoftMarginLoss TripletMarginWithDistanceLoss AdaptiveLogSoftmaxWithLoss LinearCrossEntropyLoss "
        "LinearCrossEntropyOptions",
        "except for CTC, one line each.", "`nn.Loss(lambda x, y: np.mean(np.exp(x) - y * x))`"),
    Row("attention quantized qat quantizable", "nodes hold dense arrays of floats.", "`dark.attention(x, x, x)`"),
    Row("modules grad factory_kwargs", "each class is in `dark.nn`.", "`nn.Linear(3, 2)`"),
)  # fmt: skip

FUNCTIONAL = (
    Row("conv3d conv_transpose3d max_pool3d avg_pool3d adaptive_avg_pool3d adaptive_max_pool3d lp_pool3d max_unpool3d "
        "fractional_max_pool3d dropout3d",
        VOLUMES, "slices as images"),
    Row("adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d lp_pool1d lp_pool2d "
        "max_unpool1d max_unpool2d fractional_max_pool2d",
        "rare, except for the mean of all positions.", "`np.mean(x, axis=-1, keepdims=True)`"),
    Row("one_hot", "it is one index.", "`np.eye(4)[np.array([0, 2])]`"),
    Row("normalize", ONE_LINE, "`x / np.linalg.norm(x, axis=-1, keepdims=True)`"),
    Row("softsign", ONE_LINE, "`x / (1 + np.abs(x))`"),
    Row("tanhshrink", ONE_LINE, "`x - np.tanh(x)`"),
    Row("hardtanh relu6", ONE_LINE, "`np.clip(x, -1, 1)`, `np.clip(x, 0, 6)`"),
    Row("hardsigmoid", ONE_LINE, "`np.clip(x / 6 + 0.5, 0, 1)`"),
    Row("hardswish", ONE_LINE, "`x * np.clip(x / 6 + 0.5, 0, 1)`"),
    Row("celu selu hardshrink softshrink threshold rrelu", ONE_LINE, "`np.where(mask, x, 0.0)`"),
    Row("relu_ elu_ leaky_relu_ selu_ celu_ rrelu_ threshold_ hardtanh_", "nothing changes a node in place.",
        "`dark.relu(x)`"),
    Row("cosine_similarity", ONE_LINE, "`np.sum(x * y) / (np.linalg.norm(x) * np.linalg.norm(y))`"),
    Row("pairwise_distance pdist", ONE_LINE, "`np.linalg.norm(x - y, axis=-1)`"),
    Row("gumbel_softmax", ONE_LINE, "`dark.softmax(x - np.log(-np.log(np.random.default_rng(0).random(x.shape))))`"),
    Row("pixel_shuffle pixel_unshuffle channel_shuffle fold unfold", ONE_LINE, "`x.reshape(4).reshape(2, 2)`"),
    Row("dropout1d dropout2d alpha_dropout feature_alpha_dropout", "rare.", "`nn.functional.dropout(x, 0.5)`"),
    Row("upsample upsample_nearest upsample_bilinear", "second ways to do the same.",
        "`nn.functional.interpolate(np.ones((1, 1, 2, 2)), scale_factor=2)`"),
    Row("batch_norm instance_norm", "the running averages are those of a layer.", "`nn.BatchNorm1d(2)(x)`"),
    Row("grid_sample affine_grid local_response_norm embedding_bag bilinear", "rare.", "an operation of your own"),
    Row("multi_head_attention_forward", "it is a layer.", "`nn.MultiheadAttention(4, 2)`"),
    Row("ctc_loss poisson_nll_loss gaussian_nll_loss margin_ranking_loss soft_margin_loss multilabel_margin_loss "
        "multilabel_soft_margin_loss triplet_margin_with_distance_loss linear_cross_entropy",
        "except for CTC, one line each.", "`np.mean(np.exp(x) - y * x)`"),
)  # fmt: skip

NN_UTILS = (
    Row("rnn", "sorting sequences by length pays on a GPU; the layers would all need a second way.",
        "padded sequences, and a mask in the loss: `losses.mse(x, y, reduction='none') * mask`; "
        "`dark.pad(x[0], (0, 3))` pads one"),
    Row("spectral_norm weight_norm parametrize parametrizations remove_spectral_norm remove_weight_norm",
        "a module computes its weight in `forward`.", "`x / np.linalg.norm(x, 2)`"),
    Row("parameters_to_vector", ONE_LINE, "`np.concatenate([p.ravel() for p in model.parameters()])`"),
    Row("vector_to_parameters convert_parameters", "a loop over the parameters.", "`p.value = np.ones(3)`"),
    Row("clip_grad get_total_norm clip_grads_with_norm_", "it is in `dark.optim`.", "`optim.clip_grad_norm([p], 1.0)`"),
    Row("stateless fusion fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval skip_init memory_format",
        "rare.", "a loop over `model.parameters()`"),
)  # fmt: skip

INIT = (
    Row("trunc_normal_", "rare.", "`p.value = np.clip(np.random.default_rng(0).normal(size=3), -2, 2)`"),
    Row("eye_ dirac_ sparse_", "rare.", "`p.value = np.ones(3)`, with the array that you need"),
    Row("constant eye dirac kaiming_normal kaiming_uniform normal orthogonal sparse uniform xavier_normal "
        "xavier_uniform", "the names of what changes a parameter end in an underscore.",
        "`nn.init.normal_(p)`, `nn.init.zeros_(p)`"),
)  # fmt: skip

OPTIM = (
    Row("Adadelta Adamax Adafactor ASGD Rprop SparseAdam Muon", "superseded, or for sparse gradients.",
        "`optim.Adam([x])`"),
    Row("swa_utils", "a handler averages the weights.", "`dark.handlers.EMAHandler(model, momentum=0.01)`"),
)  # fmt: skip

LR_SCHEDULER = (
    Row("ChainedScheduler",
        "schedulers that change one rate at the same time are hard to follow; one after the other is `SequentialLR`.",
        "`optim.lr_scheduler.LambdaLR(optim.SGD([x], lr=0.1), lambda epoch: 0.9**epoch)`"),
)  # fmt: skip

DATA = (
    Row("StackDataset", "`TensorDataset` takes any number of arrays.", "`data.TensorDataset(np.ones(3), np.zeros(3))`"),
    Row("random_split", "it is called split.", "`data.split([1, 2, 3, 4], (0.5, 0.5), stratify=False)`"),
    Row("default_collate default_convert", "it is called collate.", "`data.collate([1.0, 2.0])`"),
    Row("ChainDataset", "it is called ConcatDataset.", "`data.ConcatDataset([[1.0], [2.0]])`"),
    Row("dataloader sampler distributed", "each class is in `dark.data`.", "`data.DataLoader([1.0, 2.0])`"),
    Row("IterDataPipe MapDataPipe datapipes", "removed from PyTorch, too.", "`data.IterableDataset`"),
)  # fmt: skip

LOSSES = (
    Row("mse_loss:mse l1_loss:l1 smooth_l1_loss:smooth_l1 huber_loss:huber",
        "a function is named as its loss.", "`losses.{name}(x, y)`, `nn.functional.mse_loss(x, y)`"),
    Row("kl_div_loss:kl_div triplet_margin_loss:triplet_margin cosine_embedding_loss:cosine_embedding "
        "hinge_embedding_loss:hinge_embedding multi_margin_loss:multi_margin MSELoss:mse L1Loss:l1 NLLLoss:nll "
        "nll_loss:nll CrossEntropyLoss:cross_entropy BCELoss:binary_cross_entropy KLDivLoss:kl_div",
        "a function is named as its loss; its class is in `dark.nn`.", "`losses.{name}`, `nn.MSELoss()`"),
)  # fmt: skip
