"""Networks of timm, transformers and torchvision in small configurations, with random weights, and their inputs."""

from functools import cache

import pytest

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")


@cache
def torchvision():
    """Return torchvision, or None; the others import it, too. Its operators may be of a build for another PyTorch."""
    try:
        import torchvision
    except ImportError:
        return None
    except RuntimeError:  # it cannot be imported where these two are not declared
        library = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        import torchvision

        torchvision.declared = library  # keeps them declared
    return torchvision


def with_torchvision():
    """Return torchvision, or skip."""
    return torchvision() or pytest.skip("torchvision is not installed")


def of_timm(name, size=32, **options):
    """Return a network of timm, and an image."""
    with_torchvision()
    timm = pytest.importorskip("timm", reason="the oracle extra (timm) is not installed")
    return timm.create_model(name, num_classes=5, **options), (torch.randn(1, 3, size, size),), {}


def of_torchvision(name, size=32, **options):
    """Return a network of torchvision, and an image."""
    network = with_torchvision().models.get_model(name, weights=None, num_classes=5, **options)
    return network, (torch.randn(1, 3, size, size),), {}


def vision_transformer():
    """Return the vision transformer of torchvision with three layers."""
    return (
        with_torchvision().models.VisionTransformer(32, 8, 3, 2, 16, 32, num_classes=5),
        (torch.randn(1, 3, 32, 32),),
        {},
    )


def detector():
    """Return a small Faster R-CNN of torchvision, which needs its operators, and a list of images."""
    package = with_torchvision()
    if not package.extension._has_ops():
        pytest.skip("the operators of torchvision are of a build for another PyTorch")
    few = {"min_size": 64, "max_size": 64, "rpn_pre_nms_top_n_test": 8, "rpn_post_nms_top_n_test": 8}
    make = package.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn
    return make(weights=None, weights_backbone=None, num_classes=3, **few), ([torch.rand(3, 64, 64)],), {}


SMALL = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 32}
WORDS = {"vocab_size": 50, "max_position_embeddings": 16}
PATCHES = {"image_size": 32, "patch_size": 8}
TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
HALVES = {f"{half}_{what}": count for half in ("encoder", "decoder")
          for what, count in (("layers", 2), ("attention_heads", 2), ("ffn_dim", 32))}  # fmt: skip


def of_transformers(kind, model, config, **inputs):
    """Return a network of transformers, and its inputs by keyword."""
    torchvision()
    package = pytest.importorskip("transformers", reason="the oracle extra (transformers) is not installed")
    return getattr(package, f"{kind}{model}")(getattr(package, f"{kind}Config")(**config)), (), inputs


def ids():
    return torch.arange(12).reshape(2, 6)


def mask():
    return (torch.arange(6) < torch.tensor([[6], [4]])).long()


def image():
    return torch.randn(2, 3, 32, 32)


def text_and_image():
    """Return a small CLIP, two texts and two images."""
    halves = {"text_config": WORDS | SMALL, "vision_config": PATCHES | SMALL, "projection_dim": 8}
    return of_transformers("CLIP", "Model", halves, input_ids=ids(), attention_mask=mask(), pixel_values=image())


MODELS = {
    "resnet": lambda: of_timm("resnet18"),
    "convnext": lambda: of_timm("convnext_atto"),
    "vit": lambda: of_timm("vit_tiny_patch16_224", img_size=32, depth=3),
    "deit": lambda: of_timm("deit_tiny_distilled_patch16_224", img_size=32, depth=3),
    "mixer": lambda: of_timm("mixer_s32_224", 64, img_size=64),
    "efficientnet": lambda: of_timm("efficientnet_b0"),
    "swin": lambda: of_timm("swin_tiny_patch4_window7_224", 56, img_size=56, depths=(1, 1, 2, 1)),
    "regnet": lambda: of_timm("regnetx_002"),
    "densenet": lambda: of_timm("densenet121", block_config=(2, 3, 2, 2)),
    "mobilenet": lambda: of_timm("mobilenetv3_small_050"),
    "resnest": lambda: of_timm("resnest14d", 64),
    "dla": lambda: of_timm("dla34", 64),
    "poolformer": lambda: of_timm("poolformer_s12", 64),
    "xcit": lambda: of_timm("xcit_nano_12_p16_224", img_size=32, depth=2),
    "edgenext": lambda: of_timm("edgenext_xx_small", 64),
    "resnet of torchvision": lambda: of_torchvision("resnet18"),
    "googlenet": lambda: of_torchvision("googlenet", 64, init_weights=False, aux_logits=False),
    "squeezenet": lambda: of_torchvision("squeezenet1_1", 64),
    "shufflenet": lambda: of_torchvision("shufflenet_v2_x0_5"),
    "vit of torchvision": vision_transformer,
    "faster r-cnn": detector,
    "bert": lambda: of_transformers("Bert", "Model", WORDS | SMALL, input_ids=ids(), attention_mask=mask()),
    "gpt-2": lambda: of_transformers(
        "GPT2", "LMHeadModel", {"vocab_size": 50, "n_positions": 16, "n_embd": 16, "n_layer": 3, "n_head": 2,
                                "bos_token_id": 1, "eos_token_id": 2}, input_ids=ids()
    ),
    "t5": lambda: of_transformers(
        "T5", "ForConditionalGeneration", {"vocab_size": 50, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2,
                                           "num_heads": 2, "decoder_start_token_id": 0},
        input_ids=ids(), decoder_input_ids=ids()[:, :4]
    ),
    "bart": lambda: of_transformers(
        "Bart", "Model", WORDS | HALVES | TOKENS | {"d_model": 16}, input_ids=ids(), attention_mask=mask()
    ),
    "llama": lambda: of_transformers(
        "Llama", "ForCausalLM", WORDS | SMALL | {"num_key_value_heads": 1}, input_ids=ids(), attention_mask=mask()
    ),
    "mamba": lambda: of_transformers(
        "Mamba", "Model", {"vocab_size": 50, "hidden_size": 16, "state_size": 4, "num_hidden_layers": 3},
        input_ids=ids()
    ),
    "clip": text_and_image,
    "vit of transformers": lambda: of_transformers(
        "ViT", "ForImageClassification", PATCHES | SMALL, pixel_values=image()
    ),
    "whisper": lambda: of_transformers(
        "Whisper", "Model", HALVES | TOKENS | {"vocab_size": 50, "num_mel_bins": 8, "d_model": 16,
                                               "max_source_positions": 10, "max_target_positions": 10},
        input_features=torch.randn(2, 8, 20), decoder_input_ids=ids()[:, :4]
    ),
    "wav2vec2": lambda: of_transformers(
        "Wav2Vec2", "Model", SMALL | {"vocab_size": 30, "conv_dim": (8, 8), "conv_kernel": (10, 3),
                                      "conv_stride": (5, 2), "num_conv_pos_embeddings": 4,
                                      "num_conv_pos_embedding_groups": 2,
                                      "num_feat_extract_layers": 2}, input_values=torch.randn(2, 400)
    ),
}  # fmt: skip
