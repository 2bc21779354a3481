#include "core/files/video.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <tuple>
#include <utility>

#include "core/files/byte_source.h"
#include "core/files/image_formats.h"

namespace vitrine {

namespace {

constexpr std::int64_t most_video_pixels = std::min<std::int64_t>(max_image_pixels, 40'000'000);  // 8K has 33 million
constexpr double longest_frame = 60, usual_frame = 0.04;                                          // s
constexpr int io_bytes = 1 << 16;
constexpr int decoding_threads = 2;  // enough for 4K at 60 frames a second; the model needs the others

/// The allowed demuxers, by FFmpeg's names: none of them opens another file or a URL.
constexpr const char* containers = "mov,matroska,avi,mpeg,mpegts,ogg,asf,flv";

/// FFmpeg's functions; null if the libraries do not exist. Loading libavformat also loads libavcodec and libavutil.
struct FFmpeg {
    explicit FFmpeg(const FFmpegLibraries& libraries) {
        decltype(av_log_set_level)* set_log_level = nullptr;
        complete =
            libraries.formats.look_up(
                set_log_level, "av_log_set_level", allocate, "av_malloc", free_at, "av_freep", set_option,
                "av_dict_set", end_options, "av_dict_free", words_of, "av_strerror", new_io, "avio_alloc_context",
                end_io, "avio_context_free", new_input, "avformat_alloc_context", open_input, "avformat_open_input",
                end_input, "avformat_close_input", find_streams, "avformat_find_stream_info", find_best,
                "av_find_best_stream", read, "av_read_frame", coding_name, "avcodec_get_name", new_codec,
                "avcodec_alloc_context3", end_codec, "avcodec_free_context", set_codec, "avcodec_parameters_to_context",
                open_codec, "avcodec_open2", send, "avcodec_send_packet", receive, "avcodec_receive_frame", new_packet,
                "av_packet_alloc", end_packet, "av_packet_free", clear_packet, "av_packet_unref", new_frame,
                "av_frame_alloc", end_frame, "av_frame_free", find_side_data, side_data_name) &&
            libraries.scaling.look_up(new_scaler, "sws_getContext", end_scaler, "sws_freeContext", scale, "sws_scale",
                                      get_colours, "sws_getColorspaceDetails", set_colours, "sws_setColorspaceDetails",
                                      coefficients, "sws_getCoefficients");
        if (complete) set_log_level(AV_LOG_QUIET);  // Vitrine reports errors itself
    }

#if LIBAVCODEC_VERSION_MAJOR < 61
    static constexpr const char* side_data_name = "av_stream_get_side_data";
    decltype(av_stream_get_side_data)* find_side_data = nullptr;
#else
    static constexpr const char* side_data_name = "av_packet_side_data_get";
    decltype(av_packet_side_data_get)* find_side_data = nullptr;
#endif

    bool complete = false;
    decltype(av_malloc)* allocate = nullptr;
    decltype(av_freep)* free_at = nullptr;
    decltype(av_dict_set)* set_option = nullptr;
    decltype(av_dict_free)* end_options = nullptr;
    decltype(av_strerror)* words_of = nullptr;
    decltype(avio_alloc_context)* new_io = nullptr;
    decltype(avio_context_free)* end_io = nullptr;
    decltype(avformat_alloc_context)* new_input = nullptr;
    decltype(avformat_open_input)* open_input = nullptr;
    decltype(avformat_close_input)* end_input = nullptr;
    decltype(avformat_find_stream_info)* find_streams = nullptr;
    decltype(av_find_best_stream)* find_best = nullptr;
    decltype(av_read_frame)* read = nullptr;
    decltype(avcodec_get_name)* coding_name = nullptr;
    decltype(avcodec_alloc_context3)* new_codec = nullptr;
    decltype(avcodec_free_context)* end_codec = nullptr;
    decltype(avcodec_parameters_to_context)* set_codec = nullptr;
    decltype(avcodec_open2)* open_codec = nullptr;
    decltype(avcodec_send_packet)* send = nullptr;
    decltype(avcodec_receive_frame)* receive = nullptr;
    decltype(av_packet_alloc)* new_packet = nullptr;
    decltype(av_packet_free)* end_packet = nullptr;
    decltype(av_packet_unref)* clear_packet = nullptr;
    decltype(av_frame_alloc)* new_frame = nullptr;
    decltype(av_frame_free)* end_frame = nullptr;
    decltype(sws_getContext)* new_scaler = nullptr;
    decltype(sws_freeContext)* end_scaler = nullptr;
    decltype(sws_scale)* scale = nullptr;
    decltype(sws_getColorspaceDetails)* get_colours = nullptr;
    decltype(sws_setColorspaceDetails)* set_colours = nullptr;
    decltype(sws_getCoefficients)* coefficients = nullptr;
};

/// Frees an object of FFmpeg by a function that takes the address of its pointer.
template <class T>
struct FreedAt {
    void (*free)(T**);
    void operator()(T* made) const { free(&made); }
};
template <class T>
using Made = std::unique_ptr<T, FreedAt<T>>;

/// FFmpeg's access to a file. It must not move in memory, since FFmpeg keeps its address.
class VideoBytes {
public:
    VideoBytes(const FFmpeg& ffmpeg, const ByteSource& file) : ffmpeg_(ffmpeg), file_(file) {
        auto* const buffer = static_cast<unsigned char*>(ffmpeg.allocate(io_bytes));
        io_ = ffmpeg.new_io(buffer, io_bytes, 0, this, read, nullptr, seek);
    }
    ~VideoBytes() {
        ffmpeg_.free_at(static_cast<void*>(&io_->buffer));  // FFmpeg may have replaced the buffer
        ffmpeg_.end_io(&io_);
    }
    VideoBytes(const VideoBytes&) = delete;
    VideoBytes& operator=(const VideoBytes&) = delete;

    AVIOContext* io() const { return io_; }
    bool begins_as_a_video() const {
        std::uint8_t bytes[16] = {};
        const std::size_t count = std::min(file_.size(), sizeof bytes);
        file_.read(0, {bytes, count});
        const Format* const format = format_of({bytes, count});
        return format != nullptr && format->name == name_of_videos;
    }
    /// Rethrows an exception of the file's reading after FFmpeg has returned, since it must not pass through FFmpeg.
    void rethrow_failure() {
        if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
    }

private:
    static int read(void* of, std::uint8_t* into, int wanted) {
        VideoBytes& self = *static_cast<VideoBytes*>(of);
        const std::size_t count = std::min(static_cast<std::size_t>(wanted), self.file_.size() - self.position_);
        if (count == 0) return AVERROR_EOF;
        try {
            self.file_.read(self.position_, {into, count});
        } catch (...) {
            self.failure_ = std::current_exception();
            return AVERROR(EIO);
        }
        self.position_ += count;
        return static_cast<int>(count);
    }
    static std::int64_t seek(void* of, std::int64_t offset, int from) {
        VideoBytes& self = *static_cast<VideoBytes*>(of);
        const auto size = static_cast<std::int64_t>(self.file_.size());
        if ((from & AVSEEK_SIZE) != 0) return size;
        const int whence = from & ~AVSEEK_FORCE;
        const std::int64_t base = whence == SEEK_SET   ? 0
                                  : whence == SEEK_CUR ? static_cast<std::int64_t>(self.position_)
                                                       : size;
        if (offset < -base || offset > size - base) return AVERROR(EINVAL);
        self.position_ = static_cast<std::size_t>(base + offset);
        return base + offset;
    }

    const FFmpeg& ffmpeg_;
    const ByteSource& file_;
    std::size_t position_ = 0;
    AVIOContext* io_ = nullptr;
    std::exception_ptr failure_;
};

[[noreturn]] void refuse_video(const std::string& name, const std::string& words) { fail(name, "is a video " + words); }

/// The EXIF orientation that a display matrix (libavutil/display.h) describes, to the nearest quarter turn.
int orientation_of(const std::int32_t* matrix) {
    constexpr int upright[2][2] = {{1, 4}, {2, 3}}, turned[2][2] = {{5, 6}, {8, 7}};  // [mirrored in x][in y]
    const auto size = [&](int i) { return std::abs(static_cast<double>(matrix[i])); };
    if (size(0) + size(4) >= size(1) + size(3)) return upright[matrix[0] < 0][matrix[4] < 0];
    return turned[matrix[1] < 0][matrix[3] < 0];
}

/// One pass through a video, from its first frame to its last.
class VideoReading {
public:
    VideoReading(const FFmpeg& ffmpeg, const ByteSource& file)
        : ffmpeg_(ffmpeg),
          name_(file.name()),
          bytes_(ffmpeg, file),
          input_(open(), {ffmpeg.end_input}),
          codec_(nullptr, {ffmpeg.end_codec}),
          packet_(ffmpeg.new_packet(), {ffmpeg.end_packet}),
          frame_(ffmpeg.new_frame(), {ffmpeg.end_frame}),
          scaler_(nullptr, ffmpeg.end_scaler) {
        check(ffmpeg.find_streams(input_.get(), nullptr));
        const AVCodec* decoder = nullptr;
        int found = ffmpeg.find_best(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0);
        if (found == AVERROR_DECODER_NOT_FOUND) {
            found = ffmpeg.find_best(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
            if (found >= 0) refuse_coding(input_->streams[found]->codecpar->codec_id);
        }
        if (found < 0 || (input_->streams[found]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
            fail(name_, "holds no video track; choose a file with moving pictures");
        for (unsigned i = 0; i < input_->nb_streams; ++i)
            if (static_cast<int>(i) != found) input_->streams[i]->discard = AVDISCARD_ALL;
        stream_ = input_->streams[found];
        check_frame(stream_->codecpar->width, stream_->codecpar->height);
        orientation_ = find_orientation();
        codec_.reset(ffmpeg.new_codec(decoder));
        check(ffmpeg.set_codec(codec_.get(), stream_->codecpar));
        codec_->pkt_timebase = stream_->time_base;
        codec_->thread_count = decoding_threads;
        codec_->max_pixels = most_video_pixels;
        if (ffmpeg.open_codec(codec_.get(), decoder, nullptr) < 0) refuse_coding(stream_->codecpar->codec_id);
        const AVRational rate = stream_->avg_frame_rate;
        if (rate.num > 0 && rate.den > 0) usual_ = std::clamp(av_q2d(av_inv_q(rate)), 0.001, longest_frame);
    }

    /// Decodes the next frame; false at the end. Throws Error, and whatever `progress` throws.
    bool advance(const Progress& progress) {
        for (;;) {
            report(progress, 0);
            const int received = ffmpeg_.receive(codec_.get(), frame_.get());
            if (received >= 0) {
                time_ = frame_->best_effort_timestamp == AV_NOPTS_VALUE ? time_ + lasts_
                                                                        : seconds(frame_->best_effort_timestamp);
#if LIBAVUTIL_VERSION_MAJOR < 58
                const double lasts = seconds(frame_->pkt_duration);
#else
                const double lasts = seconds(frame_->duration);
#endif
                lasts_ = lasts > 0 && lasts <= longest_frame ? lasts : usual_;
                return true;
            }
            if (received == AVERROR_EOF || ended_) return false;
            feed();
        }
    }

    double time() const { return time_; }    // of the frame, in seconds from any origin
    double lasts() const { return lasts_; }  // the frame's duration in seconds, by the file or its usual frame rate

    /// The frame as an upright RGB picture.
    Image picture() {
        const int width = frame_->width, height = frame_->height;
        check_frame(width, height);
        const Scaled wanted{width, height, frame_->format, frame_->colorspace, frame_->color_range};
        if (!scaler_ || wanted != scaled_) make_scaler(wanted);
        // The scaler's loops may write beyond the end of a row.
        const int row = 3 * width, stride = (row + 127) / 64 * 64;
        rows_.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height));
        std::uint8_t* const planes[4] = {rows_.data()};
        const int strides[4] = {stride};
        if (ffmpeg_.scale(scaler_.get(), frame_->data, frame_->linesize, 0, height, planes, strides) != height)
            refuse_pixels();
        Decoded decoded;
        decoded.width = width;
        decoded.height = height;
        decoded.orientation = orientation_;
        decoded.rgb.resize(static_cast<std::size_t>(row) * static_cast<std::size_t>(height));
        for (std::ptrdiff_t y = 0; y < height; ++y)
            std::copy_n(rows_.data() + y * stride, row, decoded.rgb.data() + y * row);
        return upright(decoded, std::move(decoded.rgb));
    }

private:
    /// Parameters of a scaler: width, height, format of the pixels, matrix, range.
    using Scaled = std::tuple<int, int, int, int, int>;

    AVFormatContext* open() {
        AVFormatContext* input = ffmpeg_.new_input();
        input->pb = bytes_.io();
        AVDictionary* options = nullptr;
        ffmpeg_.set_option(&options, "format_whitelist", containers, 0);
        const int opened = ffmpeg_.open_input(&input, nullptr, nullptr, &options);  // frees `input` if it fails
        ffmpeg_.end_options(&options);
        if (opened < 0 && !bytes_.begins_as_a_video()) {
            bytes_.rethrow_failure();
            fail(name_, "is not a video that Vitrine plays; save it as MP4 (H.264)");
        }
        check(opened);
        return input;
    }

    double seconds(std::int64_t ticks) const { return static_cast<double>(ticks) * av_q2d(stream_->time_base); }

    void check(int code) {
        bytes_.rethrow_failure();
        if (code >= 0) return;
        char words[AV_ERROR_MAX_STRING_SIZE] = {};
        ffmpeg_.words_of(code, words, sizeof words);
        refuse_video(name_,
                     "that ends too early or is damaged (" + std::string(words) + "); fetch a complete copy of it");
    }
    void check_frame(std::int64_t width, std::int64_t height) const {
        if (width <= 0 || height <= 0)
            refuse_video(name_, "without pixels, or with more than FFmpeg reads; choose another");
        if (width > most_video_pixels / height)
            refuse_video(name_, "of " + std::to_string(width) + " × " + std::to_string(height) +
                                    " pixels, more than the " + std::to_string(most_video_pixels / 1'000'000) +
                                    " million that Vitrine plays; make it smaller first");
    }
    [[noreturn]] void refuse_coding(AVCodecID coding) const {
        refuse_video(name_, "coded as " + std::string(ffmpeg_.coding_name(coding)) +
                                ", which FFmpeg does not decode here; save it as MP4 (H.264)");
    }
    [[noreturn]] void refuse_pixels() const {
        refuse_video(name_, "whose pixels FFmpeg does not convert; save it as MP4 (H.264)");
    }

    int find_orientation() const {
#if LIBAVCODEC_VERSION_MAJOR < 61
        std::size_t size = 0;
        const void* const data = ffmpeg_.find_side_data(stream_, AV_PKT_DATA_DISPLAYMATRIX, &size);
#else
        const AVPacketSideData* const side = ffmpeg_.find_side_data(
            stream_->codecpar->coded_side_data, stream_->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
        const void* const data = side == nullptr ? nullptr : side->data;
        const std::size_t size = side == nullptr ? 0 : side->size;
#endif
        const bool is_whole = data != nullptr && size >= 9 * sizeof(std::int32_t);
        return is_whole ? orientation_of(static_cast<const std::int32_t*>(data)) : 1;
    }

    /// Sends the decoder the next packet of the track, or its end. Packets that the decoder refuses are skipped.
    void feed() {
        const int read = ffmpeg_.read(input_.get(), packet_.get());
        if (read == AVERROR_EOF) {
            ended_ = true;
            ffmpeg_.send(codec_.get(), nullptr);
            return;
        }
        check(read);
        if (packet_->stream_index == stream_->index) ffmpeg_.send(codec_.get(), packet_.get());
        ffmpeg_.clear_packet(packet_.get());
    }

    /// Makes the scaler as ffmpeg's own filter "scale" does for -pix_fmt rgb24.
    void make_scaler(const Scaled& wanted) {
        const auto [width, height, format, matrix, range] = wanted;
        scaler_.reset(ffmpeg_.new_scaler(width, height, static_cast<AVPixelFormat>(format), width, height,
                                         AV_PIX_FMT_RGB24, SWS_BICUBIC, nullptr, nullptr, nullptr));
        if (!scaler_) refuse_pixels();
        scaled_ = wanted;
        int *from = nullptr, *to = nullptr, is_full = 0, to_full = 0, brightness = 0, contrast = 0, saturation = 0;
        if (ffmpeg_.get_colours(scaler_.get(), &from, &is_full, &to, &to_full, &brightness, &contrast, &saturation) < 0)
            return;  // these pixels have no matrix
        if (range != AVCOL_RANGE_UNSPECIFIED) is_full = range == AVCOL_RANGE_JPEG ? 1 : 0;
        const bool is_named = matrix != AVCOL_SPC_RGB && matrix != AVCOL_SPC_UNSPECIFIED;
        ffmpeg_.set_colours(scaler_.get(), ffmpeg_.coefficients(is_named ? matrix : SWS_CS_DEFAULT), is_full, to,
                            to_full, brightness, contrast, saturation);
    }

    const FFmpeg& ffmpeg_;
    const std::string name_;
    VideoBytes bytes_;
    Made<AVFormatContext> input_;
    Made<AVCodecContext> codec_;
    Made<AVPacket> packet_;
    Made<AVFrame> frame_;
    std::unique_ptr<SwsContext, void (*)(SwsContext*)> scaler_;
    Scaled scaled_;
    AVStream* stream_ = nullptr;
    int orientation_ = 1;
    bool ended_ = false;
    double usual_ = usual_frame, time_ = 0, lasts_ = 0;
    std::vector<std::uint8_t> rows_;
};

/// A video in an endless loop. The next frame is decoded ahead, since its time gives the duration of the current one.
class Video : public MovingPicture {
public:
    Video(const FFmpeg& ffmpeg, const ByteSource& file) : ffmpeg_(ffmpeg), file_(file) { begin({}); }

    Frame next(const Progress& progress) override {
        report(progress, 0);
        Frame frame{reading_->picture(), 0};
        const double time = reading_->time(), lasts = reading_->lasts();
        const bool goes_on = reading_->advance(progress);
        const double until_next = goes_on ? reading_->time() - time : lasts;
        frame.seconds = until_next > 0 && until_next <= longest_frame ? until_next : lasts;
        if (!goes_on) begin(progress);
        return frame;
    }

private:
    /// Starts another pass by opening the file again, since seeking is not possible in every file.
    void begin(const Progress& progress) {
        reading_.reset();
        reading_ = std::make_unique<VideoReading>(ffmpeg_, file_);
        if (!reading_->advance(progress))
            refuse_video(file_.name(), "of which no frame can be decoded; fetch a complete copy of it");
    }

    FFmpeg ffmpeg_;
    ByteSource file_;
    std::unique_ptr<VideoReading> reading_;
};

std::string library_file(const char* name, int version) { return name + std::string(".so.") + std::to_string(version); }

}  // namespace

const FFmpegLibraries& system_ffmpeg() {
    static const FFmpegLibraries libraries{SharedLibrary(library_file("libavformat", LIBAVFORMAT_VERSION_MAJOR)),
                                           SharedLibrary(library_file("libswscale", LIBSWSCALE_VERSION_MAJOR))};
    return libraries;
}

std::optional<std::string> missing_for_videos(const FFmpegLibraries& ffmpeg) {
    if (FFmpeg(ffmpeg).complete) return {};
    return "libavformat" + std::to_string(LIBAVFORMAT_VERSION_MAJOR) + " and libswscale" +
           std::to_string(LIBSWSCALE_VERSION_MAJOR);
}

std::optional<std::string> missing_for_videos() { return missing_for_videos(system_ffmpeg()); }

const std::vector<std::string>& video_endings() {
    static const std::vector<std::string> endings = {".mp4",  ".m4v", ".mov", ".3gp",  ".mkv", ".webm", ".avi", ".mpg",
                                                     ".mpeg", ".ts",  ".mts", ".m2ts", ".ogv", ".wmv",  ".flv"};
    return endings;
}

bool is_video(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::find(video_endings(), ending) != video_endings().end();
}

std::unique_ptr<MovingPicture> open_video(const ByteSource& file, const FFmpegLibraries& libraries) {
    const FFmpeg ffmpeg(libraries);
    if (!ffmpeg.complete)
        refuse_video(file.name(),
                     "of the kind that FFmpeg's libraries play, which are not installed in the version that Vitrine "
                     "looks for; install " +
                         *missing_for_videos(libraries));
    return std::make_unique<Video>(ffmpeg, file);
}

}  // namespace vitrine
