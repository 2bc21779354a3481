#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/files/exif.h"
#include "core/files/image_formats.h"
#include "core/files/moving_picture.h"

namespace vitrine {

namespace {

struct EndDemux {
    void operator()(WebPDemuxer* demux) const { WebPDemuxDelete(demux); }
};
struct EndWebp {
    void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};

/// The content of the first chunk with a name such as "ICCP"; empty if the file has none.
std::vector<std::uint8_t> chunk_of(const WebPDemuxer& demux, const char* name) {
    WebPChunkIterator chunk{};
    std::vector<std::uint8_t> bytes;
    if (WebPDemuxGetChunk(&demux, name, 1, &chunk) != 0)
        bytes.assign(chunk.chunk.bytes, chunk.chunk.bytes + chunk.chunk.size);
    WebPDemuxReleaseChunkIterator(&chunk);
    return bytes;
}

/// Decodes the bytes of one frame into `rgb`, whose rows have `stride` bytes.
void decode_frame(Bytes frame, WebPDecoderConfig& config, const Encoded& file, const Progress& progress) {
    const std::unique_ptr<WebPIDecoder, EndWebp> decoder(WebPIDecode(nullptr, 0, &config));
    if (decoder == nullptr) fail_as(file, "too large to decode; make it smaller first");
    constexpr std::size_t reports = 64;
    VP8StatusCode status = VP8_STATUS_SUSPENDED;
    for (std::size_t i = 1; i <= reports && status == VP8_STATUS_SUSPENDED; ++i) {
        report(progress, static_cast<double>(i - 1) / reports);
        status = WebPIUpdate(decoder.get(), frame.data(), frame.size() * i / reports);
    }
    if (status == VP8_STATUS_SUSPENDED) fail_as(file, "that ends too early; fetch a complete copy");
    if (status != VP8_STATUS_OK) fail_as(file, "that is damaged; save it again as JPEG or PNG");
}

class MovingWebp : public MovingPicture {
public:
    MovingWebp(std::vector<std::uint8_t> bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
        const WebPData data{bytes_.data(), bytes_.size()};
        decoder_.reset(WebPAnimDecoderNew(&data, nullptr));
        if (decoder_ == nullptr || WebPAnimDecoderGetInfo(decoder_.get(), &info_) == 0)
            fail(name_, "is a WebP picture that is damaged; save it again");
        const Encoded file{bytes_, format_of(bytes_), name_};
        check_size(info_.canvas_width, info_.canvas_height, file);
    }

    Frame next(const Progress& progress) override {
        report(progress, 0);
        if (WebPAnimDecoderHasMoreFrames(decoder_.get()) == 0) {
            WebPAnimDecoderReset(decoder_.get());
            shown_until_ = 0;
        }
        std::uint8_t* rgba = nullptr;
        int until = 0;
        if (WebPAnimDecoderGetNext(decoder_.get(), &rgba, &until) == 0)
            fail(name_, "is a WebP picture with a damaged frame; save it again");
        const double seconds = frame_seconds(until - std::exchange(shown_until_, until));
        return {without_alpha(rgba, static_cast<int>(info_.canvas_width), static_cast<int>(info_.canvas_height)),
                seconds};
    }

private:
    struct End {
        void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
    };

    std::vector<std::uint8_t> bytes_;
    std::string name_;
    std::unique_ptr<WebPAnimDecoder, End> decoder_;
    WebPAnimInfo info_ = {};
    int shown_until_ = 0;  // ms since the first frame
};

}  // namespace

Decoded decode_webp(const Encoded& file, const Progress& progress) {
    const WebPData data{file.bytes.data(), file.bytes.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    const std::unique_ptr<WebPDemuxer, EndDemux> demux(WebPDemuxPartial(&data, &state));
    if (demux == nullptr || state != WEBP_DEMUX_DONE) {
        if (state == WEBP_DEMUX_PARSE_ERROR) fail_as(file, "that is damaged; save it again as JPEG or PNG");
        fail_as(file, "that ends too early; fetch a complete copy");
    }
    Decoded decoded;
    decoded.width = static_cast<int>(WebPDemuxGetI(demux.get(), WEBP_FF_CANVAS_WIDTH));
    decoded.height = static_cast<int>(WebPDemuxGetI(demux.get(), WEBP_FF_CANVAS_HEIGHT));
    check_size(decoded.width, decoded.height, file);
    decoded.profile = chunk_of(*demux, "ICCP");
    decoded.orientation = orientation_in(chunk_of(*demux, "EXIF"));

    WebPIterator frame{};
    const std::unique_ptr<WebPIterator, void (*)(WebPIterator*)> release(&frame, WebPDemuxReleaseIterator);
    if (WebPDemuxGetFrame(demux.get(), 1, &frame) == 0) fail_as(file, "without a frame; choose another");
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) fail_as(file, "that this libwebp cannot decode; install its own version");
    const bool whole = frame.width == decoded.width && frame.height == decoded.height;
    const int longer = std::max(decoded.width, decoded.height);
    if (file.edge > 0 && whole && longer > file.edge) {
        const auto scaled = [&](int size) {
            return std::max(1, static_cast<int>(std::lround(1.0 * size * file.edge / longer)));
        };
        config.options.use_scaling = 1;
        config.options.scaled_width = decoded.width = scaled(decoded.width);
        config.options.scaled_height = decoded.height = scaled(decoded.height);
    }
    const std::size_t stride = std::size_t{3} * static_cast<std::size_t>(decoded.width);
    decoded.rgb.resize(stride * static_cast<std::size_t>(decoded.height));  // pixels outside the frame are black
    const std::size_t first =
        static_cast<std::size_t>(frame.y_offset) * stride + std::size_t{3} * static_cast<std::size_t>(frame.x_offset);
    config.output.colorspace = MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {decoded.rgb.data() + first, static_cast<int>(stride), decoded.rgb.size() - first};
    decode_frame({frame.fragment.bytes, frame.fragment.size}, config, file, progress);
    return decoded;
}

std::unique_ptr<MovingPicture> play_webp(std::vector<std::uint8_t> bytes, const std::string& name) {
    return std::make_unique<MovingWebp>(std::move(bytes), name);
}

}  // namespace vitrine
