"""Families of transformers' models of speech and pictures, in tiny sizes."""

from __future__ import annotations

from family import (
    PAIR,
    RESIDUAL,
    ROWS,
    SMALL,
    SPEECH,
    TOKENS,
    VISION,
    Family,
    floats,
    picture_and_text,
    tokens,
    vision,
    wave,
)

MEDIA: dict[str, Family] = {
    # Speech.
    "whisper": Family(
        "WhisperForConditionalGeneration",
        {
            **PAIR,
            "num_mel_bins": 16,
            "max_source_positions": 20,
            "max_target_positions": 32,
        },
        lambda batch, length: {
            "input_features": floats(batch, 16, 40),
            "decoder_input_ids": tokens(batch, length),
        },
        {"input_features": ROWS, "decoder_input_ids": TOKENS},
    ),
    "wav2vec2": Family("Wav2Vec2ForCTC", SPEECH, wave, {"input_values": TOKENS}),
    "hubert": Family("HubertForCTC", SPEECH, wave, {"input_values": TOKENS}),
    "wavlm": Family("WavLMForCTC", SPEECH, wave, {"input_values": TOKENS}),
    "ast": Family(
        "ASTForAudioClassification",
        {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 64,
            "patch_size": 8,
            "frequency_stride": 4,
            "time_stride": 4,
            "max_length": 32,
            "num_mel_bins": 16,
        },
        lambda batch, length: {"input_values": floats(batch, 32, 16)},
        {"input_values": ROWS},
    ),
    # Pictures.
    "resnet": vision(
        "ResNetForImageClassification", {**RESIDUAL, "layer_type": "bottleneck"}
    ),
    "resnet_basic": vision(
        "ResNetForImageClassification", {**RESIDUAL, "layer_type": "basic"}
    ),
    "mobilenet_v1": vision(
        "MobileNetV1ForImageClassification", {"depth_multiplier": 0.25}
    ),
    "mobilenet_v2": vision(
        "MobileNetV2ForImageClassification", {"depth_multiplier": 0.35}
    ),
    "regnet": vision("RegNetForImageClassification", {**RESIDUAL, "groups_width": 8}),
    "efficientnet": vision(
        "EfficientNetForImageClassification",
        {
            "image_size": 32,
            "width_coefficient": 0.5,
            "depth_coefficient": 0.5,
            "hidden_dim": 640,
        },
    ),
    "convnext": vision(
        "ConvNextForImageClassification",
        {"hidden_sizes": [8, 16, 32, 64], "depths": [1, 1, 2, 1]},
        size=64,
    ),
    "convnextv2": vision(
        "ConvNextV2ForImageClassification",
        {"hidden_sizes": [8, 16, 32, 64], "depths": [1, 1, 2, 1]},
        size=64,
    ),
    "vit": vision("ViTForImageClassification", VISION),
    "deit": vision("DeiTForImageClassification", VISION),
    "beit": vision(
        "BeitForImageClassification", {**VISION, "use_relative_position_bias": True}
    ),
    "dinov2": vision("Dinov2ForImageClassification", VISION),
    "swin": vision(
        "SwinForImageClassification",
        {
            "image_size": 32,
            "patch_size": 2,
            "embed_dim": 16,
            "depths": [2, 2],
            "num_heads": [2, 4],
            "window_size": 4,
        },
    ),
    "swinv2": vision(
        "Swinv2ForImageClassification",
        {
            "image_size": 32,
            "patch_size": 2,
            "embed_dim": 16,
            "depths": [2, 2],
            "num_heads": [2, 4],
            "window_size": 4,
        },
    ),
    "mobilevit": vision(
        "MobileViTForImageClassification",
        {
            "image_size": 64,
            "hidden_sizes": [16, 24, 32],
            "neck_hidden_sizes": [8, 8, 16, 16, 24, 32, 64],
        },
        size=64,
    ),
    "segformer": vision(
        "SegformerForSemanticSegmentation",
        {
            "hidden_sizes": [8, 16, 24, 32],
            "depths": [1, 1, 1, 1],
            "num_attention_heads": [1, 2, 2, 4],
            "decoder_hidden_size": 16,
        },
        size=64,
    ),
    "dpt": vision(
        "DPTForDepthEstimation",
        {
            **VISION,
            "num_hidden_layers": 4,
            "backbone_out_indices": [0, 1, 2, 3],
            "neck_hidden_sizes": [8, 8, 16, 16],
            "fusion_hidden_size": 16,
            "is_hybrid": False,
        },
    ),
    "poolformer": vision(
        "PoolFormerForImageClassification",
        {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 1, 1]},
        size=64,
    ),
    "detr": vision(
        "DetrForObjectDetection",
        {
            "backbone_config": {
                "model_type": "resnet",
                **RESIDUAL,
                "out_features": ["stage4"],
            },
            "d_model": 32,
            "encoder_layers": 2,
            "decoder_layers": 2,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 4,
            "encoder_ffn_dim": 64,
            "decoder_ffn_dim": 64,
            "num_queries": 10,
        },
        size=64,
    ),
    "yolos": vision(
        "YolosForObjectDetection",
        {**VISION, "image_size": [32, 32], "num_detection_tokens": 5},
    ),
    # Pictures and text.
    "clip": Family(
        "CLIPModel",
        {
            "text_config": {**SMALL, "projection_dim": 16},
            "vision_config": {**VISION, "projection_dim": 16},
            "projection_dim": 16,
        },
        picture_and_text,
        {
            "input_ids": TOKENS,
            "pixel_values": {0: "pictures"},
            "attention_mask": TOKENS,
        },
    ),
    "siglip": Family(
        "SiglipModel",
        {"text_config": SMALL, "vision_config": VISION},
        picture_and_text,
        {
            "input_ids": TOKENS,
            "pixel_values": {0: "pictures"},
            "attention_mask": TOKENS,
        },
    ),
    "sam": Family(
        "SamModel",
        {
            "vision_config": {
                "hidden_size": 32,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "mlp_dim": 64,
                "image_size": 64,
                "patch_size": 8,
                "output_channels": 16,
                "window_size": 4,
                "global_attn_indexes": [1],
                "num_pos_feats": 8,
            },
            "prompt_encoder_config": {
                "hidden_size": 16,
                "image_size": 64,
                "patch_size": 8,
                "mask_input_channels": 4,
            },
            "mask_decoder_config": {
                "hidden_size": 16,
                "mlp_dim": 32,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "iou_head_hidden_dim": 16,
            },
        },
        lambda batch, length: {
            "pixel_values": floats(batch, 3, 64, 64),
            "input_points": floats(batch, 1, 2, 2).abs() * 20,
        },
        {"pixel_values": ROWS, "input_points": ROWS},
    ),
}
