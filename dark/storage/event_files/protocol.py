"""The messages, records and image encoder of the optional package tensorboard, imported on demand."""

from types import SimpleNamespace

from dark.errors import missing_extra


def tensorboard_protocol():
    """Return the messages `Event`, `Summary`, `HistogramProto` and `TensorProto`, and their writer and encoder."""
    try:
        from google.protobuf.message import DecodeError
        from PIL import Image
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.histogram_pb2 import HistogramProto
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.plugins.text import metadata
        from tensorboard.summary.writer.record_writer import RecordWriter
    except ImportError:
        raise missing_extra("tensorboard", "tensorboard") from None
    return SimpleNamespace(
        DecodeError=DecodeError, Event=Event, HistogramProto=HistogramProto, Image=Image, RecordWriter=RecordWriter,
        Summary=Summary, TensorProto=TensorProto, text_metadata=metadata.create_summary_metadata("", ""),
    )  # fmt: skip
