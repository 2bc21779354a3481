#include "core/files/pytorch/pytorch_globals.h"

namespace vitrine {

const std::map<std::string, TorchGlobal, std::less<>>& globals_of_weights() {
    static const std::map<std::string, TorchGlobal, std::less<>> table = [] {
        std::map<std::string, TorchGlobal, std::less<>> rows;
        const auto storage = [&](const char* name, TensorType type) {
            rows[std::string("torch.") + name + "Storage"] = {GlobalMeaning::storage, type};
            rows[std::string("torch.cuda.") + name + "Storage"] = {GlobalMeaning::storage, type};
        };
        storage("Double", TensorType::f64);
        storage("Float", TensorType::f32);
        storage("Half", TensorType::f16);
        storage("BFloat16", TensorType::bf16);
        storage("Long", TensorType::i64);
        storage("Int", TensorType::i32);
        storage("Short", TensorType::i16);
        storage("Char", TensorType::i8);
        storage("Byte", TensorType::u8);
        storage("Bool", TensorType::boolean);
        for (const char* const name : {"torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor"})
            rows[name] = {GlobalMeaning::tensor};
        for (const char* const name : {"torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state"})
            rows[name] = {GlobalMeaning::parameter};
        rows["torch._tensor._rebuild_from_type_v2"] = {GlobalMeaning::typed_tensor};
        for (const char* const name : {"collections.OrderedDict", "collections.defaultdict", "collections.Counter",
                                       "builtins.dict", "__builtin__.dict"})
            rows[name] = {GlobalMeaning::dictionary};
        for (const char* const name : {"torch.Size", "builtins.tuple", "__builtin__.tuple"})
            rows[name] = {GlobalMeaning::tuple};
        // Objects that training scripts save beside weights: read as opaque values.
        for (const char* const name : {"argparse.Namespace",
                                       "types.SimpleNamespace",
                                       "builtins.set",
                                       "__builtin__.set",
                                       "builtins.frozenset",
                                       "builtins.list",
                                       "__builtin__.list",
                                       "builtins.int",
                                       "__builtin__.int",
                                       "builtins.float",
                                       "__builtin__.float",
                                       "builtins.str",
                                       "__builtin__.str",
                                       "builtins.bool",
                                       "__builtin__.bool",
                                       "builtins.bytes",
                                       "builtins.bytearray",
                                       "builtins.complex",
                                       "builtins.slice",
                                       "builtins.range",
                                       "builtins.object",
                                       "__builtin__.object",
                                       "__builtin__.unicode",
                                       "__builtin__.long",
                                       "__builtin__.bytearray",
                                       "copyreg._reconstructor",
                                       "copy_reg._reconstructor",
                                       "_codecs.encode",
                                       "numpy.dtype",
                                       "numpy.ndarray",
                                       "numpy.core.multiarray.scalar",
                                       "numpy._core.multiarray.scalar",
                                       "numpy.core.multiarray._reconstruct",
                                       "numpy._core.multiarray._reconstruct",
                                       "numpy.core.numeric._frombuffer",
                                       "numpy._core.numeric._frombuffer",
                                       "torch.device",
                                       "torch.Tensor",
                                       "torch.nn.parameter.Parameter",
                                       "torch.float16",
                                       "torch.float32",
                                       "torch.float64",
                                       "torch.bfloat16",
                                       "torch.int8",
                                       "torch.int16",
                                       "torch.int32",
                                       "torch.int64",
                                       "torch.uint8",
                                       "torch.bool",
                                       "torch._utils._rebuild_device_tensor_from_numpy",
                                       "torch.serialization._get_layout",
                                       "pathlib.Path",
                                       "pathlib.PosixPath",
                                       "pathlib.WindowsPath",
                                       "pathlib.PurePosixPath",
                                       "pathlib._local.PosixPath",
                                       "pathlib._local.WindowsPath",
                                       "datetime.datetime",
                                       "datetime.timedelta",
                                       "datetime.date",
                                       "typing.Any",
                                       "collections.deque",
                                       "easydict.EasyDict",
                                       "yacs.config.CfgNode",
                                       "ml_collections.config_dict.ConfigDict",
                                       "omegaconf.dictconfig.DictConfig",
                                       "omegaconf.listconfig.ListConfig",
                                       "omegaconf.base.ContainerMetadata",
                                       "omegaconf.base.Metadata",
                                       "omegaconf.base.SCMode",
                                       "omegaconf.nodes.AnyNode",
                                       "omegaconf.nodes.ValueNode",
                                       "omegaconf.nodes.StringNode",
                                       "omegaconf.nodes.IntegerNode",
                                       "omegaconf.nodes.FloatNode",
                                       "omegaconf.nodes.BooleanNode",
                                       "pytorch_lightning.utilities.parsing.AttributeDict",
                                       "lightning_fabric.utilities.data.AttributeDict",
                                       "lightning.fabric.utilities.data.AttributeDict",
                                       "numpy.bool_",
                                       "numpy.float32",
                                       "numpy.float64",
                                       "numpy.int64",
                                       "numpy.dtypes.Float32DType",
                                       "numpy.dtypes.Float64DType",
                                       "numpy.dtypes.Int64DType",
                                       "numpy.dtypes.UInt32DType",
                                       "numpy.dtypes.BoolDType",
                                       "numpy.random._pickle.__randomstate_ctor",
                                       "numpy.random._pickle.__generator_ctor",
                                       "numpy.random._pickle.__bit_generator_ctor",
                                       "addict.addict.Dict",
                                       "mmengine.config.config.ConfigDict",
                                       "mmengine.logging.history_buffer.HistoryBuffer",
                                       "pytorch_lightning.callbacks.model_checkpoint.ModelCheckpoint",
                                       "pytorch_lightning.callbacks.early_stopping.EarlyStopping"})
            rows[name] = {};
        return rows;
    }();
    return table;
}

bool is_of_networks(std::string_view global) {
    for (const std::string_view front :
         {"torch.nn.", "timm.", "torchvision.", "transformers.", "__main__.", "models.", "model.", "vit."})
        if (global.starts_with(front)) return true;
    return false;
}

}  // namespace vitrine
