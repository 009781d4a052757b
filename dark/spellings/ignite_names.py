"""The names of Ignite, and of PyTorch's modules, that are elsewhere in `dark`, or left out."""

from dark.spellings.table import Row

TRAINERS = "engines that train networks are in `dark.trainers`."
ONE_PROCESS = "a strategy knows the processes of a training."
SERVICES = "a service on the network; files of TensorBoard can be imported by most of them."

ENGINE = (
    Row("create_supervised_trainer create_supervised_evaluator supervised_training_step supervised_evaluation_step",
        TRAINERS, "`dark.trainers.{name}`"),
    Row("supervised_training_step_amp supervised_training_step_apex supervised_training_step_tpu "
        "supervised_evaluation_step_amp",
        "NumPy computes on a CPU.", "`dark.trainers.supervised_training_step`"),
    Row("create_supervised_tbptt_trainer Tbptt_Events", TRAINERS, "`dark.trainers.{name}`"),
)  # fmt: skip

TRAINERS_ROWS = (
    Row("Engine Events State DeterministicEngine EventEnum", "it is in `dark.engine`.", "`dark.engine.{name}`"),
)

METRICS = (
    Row("Perplexity", "it is the exponential of a loss.", "`dark.metrics.MetricsLambda`, of a `dark.metrics.Loss`"),
    Row("ClassificationReport MultiLabelConfusionMatrix CohenKappa MatthewsCorrCoef",
        "a function of the confusion matrix.", "`dark.metrics.ConfusionMatrix(3)`, `dark.metrics.MetricsLambda`"),
    Row("AveragePrecision PrecisionRecallCurve HitRate NDCG MeanAveragePrecision ObjectDetectionAvgPrecisionRecall "
        "CommonObjectDetectionMetrics coco_tensor_list_to_dict_list",
        "a metric of all outputs is a function.", "`dark.metrics.EpochMetric(np.mean)`"),
    Row("FID Bleu Rouge RougeN RougeL CharacterErrorRate GpuInfo Entropy JSDivergence KLDivergence HSIC "
        "MaximumMeanDiscrepancy MutualInformation MeanPairwiseDistance CosineSimilarity clustering fairness",
        "rare, or it needs a trained network.", "a class that derives from `dark.metrics.Metric`"),
)  # fmt: skip

HANDLERS = (
    Row("FastaiLRFinder", "a loop over a few learning rates does the same.", "`dark.optim.lr_scheduler.OneCycleLR`"),
    Row("TensorboardLogger tensorboard_logger", "it is called TensorBoardLogger.", "`dark.handlers.TensorBoardLogger`"),
    Row("BaseParamScheduler BatchSizeScheduler", "it is called ParamScheduler.", "`dark.handlers.ParamScheduler`"),
    Row("StateParamScheduler", "each kind has a class.", "`dark.handlers.LambdaStateScheduler`"),
    Row("tqdm_logger", "it is in `dark.handlers`.", "`dark.handlers.ProgressBar`"),
    Row("param_scheduler lr_finder stores checkpoint", "it is in `dark.handlers`.", "`dark.handlers.Checkpoint`"),
    Row("ClearMLLogger MLflowLogger NeptuneLogger PolyaxonLogger VisdomLogger WandBLogger FBResearchLogger",
        SERVICES, "`dark.storage.SummaryWriter`, `dark.monitor`"),
)  # fmt: skip

DISTRIBUTED = (
    Row("get_rank", ONE_PROCESS, "the attribute `rank` of a strategy; it is 0 in one process"),
    Row("get_world_size get_nproc_per_node", ONE_PROCESS, "the attribute `size` of a strategy; it is 1 in one process"),
    Row("all_gather all_reduce barrier broadcast", ONE_PROCESS, "`strategy.{name}`"),
    Row("Parallel spawn init_process_group destroy_process_group is_initialized initialize finalize "
        "auto_model auto_optim auto_dataloader auto backend available_backends "
        "device model_name get_local_rank get_nnodes get_node_rank hostname one_rank_only one_rank_first show_config "
        "sync set_local_rank new_group DistributedProxySampler launcher utils has_native_dist_support "
        "has_xla_support has_hvd_support all_gather_tensors_with_shapes", ONE_PROCESS,
        "`dark.distributed.Replicas(2)` in one process, `dark.distributed.MPI` in many"),
)  # fmt: skip

MODULES = (  # what is imported as a module: `import dark.utils.data`
    Row("utils", "`torch.utils.data` is `dark.data`, and `ignite.utils.manual_seed` is `dark.manual_seed`.",
        "`from dark.data import DataLoader`, `from dark import manual_seed`"),
    Row("utils.data", "it is called data.", "`from dark.data import DataLoader`"),
    Row("contrib", "nothing is apart.", "`from dark.handlers import ProgressBar`, `dark.trainers`"),
    Row("functional", "it is in `dark.nn`.", "`import dark.nn.functional as F`"),
    Row("autograd", "a gradient is a function, or an attribute.", "`dark.grad`, `dark.jacobian`, `x.sum().backward()`"),
    Row("cuda amp backends mps xpu", "NumPy computes on a CPU.", "omit it"),
    Row("distributions", "NumPy draws numbers.", "`np.random.default_rng(0).normal(0.0, 1.0)`"),
    Row("fft linalg special random", "NumPy has the module.", "`np.fft`, `np.linalg`, `np.random`"),
    Row("jit fx onnx compiler func", "there is nothing to compile.", "`dark.grad`, `dark.jacobian`"),
    Row("multiprocessing profiler testing", "Python has it.", "`dark.handlers.BasicTimeProfiler`"),
    Row("sparse quantization ao nested", "nodes hold dense arrays of floats.", "`x.astype(np.float32)`"),
    Row("handlers.tensorboard_logger handlers.tqdm_logger handlers.param_scheduler handlers.lr_finder handlers.stores "
        "handlers.checkpoint handlers.early_stopping_handler handlers.timing handlers.base_logger",
        "each class is in `dark.handlers`.", "`from dark.handlers import Checkpoint, EarlyStopping, ProgressBar`, "
        "`dark.handlers.TensorBoardLogger`"),
    Row("metrics.nlp metrics.gan metrics.gpu_info metrics.vision", "each class is in `dark.metrics`.",
        "`dark.metrics.SSIM`"),
    Row("nn.parallel", "a strategy divides batches.", "`dark.distributed.Replicas(2)`"),
    Row("nn.parameter", "`dark` has its class.", "`from dark import Parameter`"),
    Row("nn.modules", "each class is in `dark.nn`.", "`from dark.nn import Linear`"),
    Row("nn.utils.rnn nn.utils.parametrizations", "rare.", "padded sequences, and a mask in the loss"),
    Row("nn.attention", "it is a function.", "`dark.attention`"),
    Row("optim.swa_utils", "a handler averages the weights.", "`dark.handlers.EMAHandler`"),
    Row("data.dataset data.dataloader data.sampler data.distributed", "each class is in `dark.data`.",
        "`from dark.data import DataLoader, Dataset`"),
    Row("distributed.utils distributed.launcher distributed.auto", "a strategy is an object.",
        "`dark.distributed.Replicas(2)`"),
)  # fmt: skip
