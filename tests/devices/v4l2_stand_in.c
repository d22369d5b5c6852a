/* A USB camera where there is none: answers the kernel's V4L2 calls for one path.
 *
 * Loaded before the C library (LD_PRELOAD), so that OpenCV's own V4L2 code runs as it is. The path
 * is in V4L2_CAMERA, the JPEG of every frame in V4L2_JPEG, and what is set is written to V4L2_LOG,
 * a line each. Only MJPG is offered. Exposure, white balance and focus refuse values while they are
 * automatic, as the kernel's driver for USB cameras does, and exposure drifts until it is held.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BUFFERS 4
#define ROOM (1 << 20)

static int camera = -1, next_buffer, queued[BUFFERS], streaming;
static unsigned width = 640, height = 480, sequence;
static unsigned char *memory;

static struct { unsigned id; int low, high, value; const char *name; } controls[] = {
    {V4L2_CID_EXPOSURE_AUTO, 0, 3, 3, "exposure_auto"},
    {V4L2_CID_EXPOSURE_ABSOLUTE, 1, 5000, 157, "exposure_absolute"},
    {V4L2_CID_GAIN, 0, 255, 20, "gain"},
    {V4L2_CID_AUTO_WHITE_BALANCE, 0, 1, 1, "white_balance_auto"},
    {V4L2_CID_WHITE_BALANCE_TEMPERATURE, 2800, 6500, 4600, "white_balance_temperature"},
    {V4L2_CID_FOCUS_AUTO, 0, 1, 1, "focus_auto"},
    {V4L2_CID_FOCUS_ABSOLUTE, 0, 255, 35, "focus_absolute"},
};
#define CONTROLS (sizeof controls / sizeof *controls)

static void note(const char *what, long value)
{
    FILE *log = fopen(getenv("V4L2_LOG"), "a");
    if (log) {
        fprintf(log, "%s %ld\n", what, value);
        fclose(log);
    }
}

static int refuse(int why)
{
    errno = why;
    return -1;
}

static int index_of(unsigned id)
{
    for (unsigned i = 0; i < CONTROLS; i++)
        if (controls[i].id == id)
            return i;
    return -1;
}

static int value_of(unsigned id) { return controls[index_of(id)].value; }

static int set(unsigned id, int value)
{
    int i = index_of(id);
    if (i < 0)
        return refuse(EINVAL);
    if ((id == V4L2_CID_EXPOSURE_ABSOLUTE && value_of(V4L2_CID_EXPOSURE_AUTO) != 1) ||
        (id == V4L2_CID_WHITE_BALANCE_TEMPERATURE && value_of(V4L2_CID_AUTO_WHITE_BALANCE)) ||
        (id == V4L2_CID_FOCUS_ABSOLUTE && value_of(V4L2_CID_FOCUS_AUTO)))
        return refuse(EACCES);
    if (value < controls[i].low || value > controls[i].high)
        return refuse(ERANGE);
    controls[i].value = value;
    note(controls[i].name, value);
    return 0;
}

static int get(unsigned id, int *value)
{
    int i = index_of(id);
    if (i < 0)
        return refuse(EINVAL);
    *value = controls[i].value;
    return 0;
}

static int give_frame(struct v4l2_buffer *buffer)
{
    if (!streaming)
        return refuse(EINVAL);
    usleep(33000);
    for (int tries = 0; !queued[next_buffer] && tries < BUFFERS; tries++)
        next_buffer = (next_buffer + 1) % BUFFERS;
    if (!queued[next_buffer])
        return refuse(EAGAIN);
    FILE *jpeg = fopen(getenv("V4L2_JPEG"), "rb");
    if (!jpeg)
        return refuse(ENODEV);
    buffer->bytesused = fread(memory + next_buffer * ROOM, 1, ROOM, jpeg);
    fclose(jpeg);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now.tv_nsec -= 30000000; /* the exposure began before the frame had come */
    if (now.tv_nsec < 0) {
        now.tv_nsec += 1000000000;
        now.tv_sec--;
    }
    buffer->timestamp.tv_sec = now.tv_sec;
    buffer->timestamp.tv_usec = now.tv_nsec / 1000;
    buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_DONE;
    buffer->index = next_buffer;
    buffer->length = ROOM;
    buffer->sequence = sequence++;
    buffer->memory = V4L2_MEMORY_MMAP;
    queued[next_buffer] = 0;
    next_buffer = (next_buffer + 1) % BUFFERS;
    if (value_of(V4L2_CID_EXPOSURE_AUTO) == 3 && value_of(V4L2_CID_EXPOSURE_ABSOLUTE) > 83)
        controls[index_of(V4L2_CID_EXPOSURE_ABSOLUTE)].value -= 2;
    return 0;
}

static void describe(struct v4l2_format *format)
{
    format->fmt.pix.width = width;
    format->fmt.pix.height = height;
    format->fmt.pix.pixelformat = V4L2_PIX_FMT_MJPEG;
    format->fmt.pix.field = V4L2_FIELD_NONE;
    format->fmt.pix.bytesperline = 0;
    format->fmt.pix.sizeimage = ROOM;
}

static int answer(unsigned long request, void *argument)
{
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *can = argument;
        memset(can, 0, sizeof *can);
        strcpy((char *)can->driver, "uvcvideo");
        strcpy((char *)can->card, "Stand-in camera");
        can->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        can->capabilities = can->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *form = argument;
        if (form->index)
            return refuse(EINVAL);
        form->pixelformat = V4L2_PIX_FMT_MJPEG;
        form->flags = V4L2_FMT_FLAG_COMPRESSED;
        return 0;
    }
    case VIDIOC_G_INPUT:
        *(int *)argument = 0;
        return 0;
    case VIDIOC_S_INPUT:
        return 0;
    case VIDIOC_G_FMT:
        describe(argument);
        return 0;
    case VIDIOC_TRY_FMT:
    case VIDIOC_S_FMT: {
        struct v4l2_format *form = argument;
        if (form->fmt.pix.pixelformat == V4L2_PIX_FMT_MJPEG && request == VIDIOC_S_FMT) {
            width = form->fmt.pix.width;
            height = form->fmt.pix.height;
            note("mjpg_wide", width);
        }
        describe(form);
        return 0;
    }
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM: {
        struct v4l2_streamparm *rate = argument;
        rate->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
        rate->parm.capture.timeperframe.numerator = 1;
        rate->parm.capture.timeperframe.denominator = 30;
        return 0;
    }
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        if (wanted->count > BUFFERS)
            wanted->count = BUFFERS;
        return 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        if (buffer->index >= BUFFERS)
            return refuse(EINVAL);
        buffer->length = ROOM;
        buffer->m.offset = buffer->index * ROOM;
        return 0;
    }
    case VIDIOC_QBUF:
        queued[((struct v4l2_buffer *)argument)->index] = 1;
        return 0;
    case VIDIOC_DQBUF:
        return give_frame(argument);
    case VIDIOC_STREAMON:
        streaming = 1;
        return 0;
    case VIDIOC_STREAMOFF:
        streaming = 0;
        memset(queued, 0, sizeof queued);
        return 0;
    case VIDIOC_QUERYCTRL: {
        struct v4l2_queryctrl *about = argument;
        int i = index_of(about->id);
        if (i < 0)
            return refuse(EINVAL);
        about->type = V4L2_CTRL_TYPE_INTEGER;
        about->minimum = controls[i].low;
        about->maximum = controls[i].high;
        about->step = 1;
        about->default_value = controls[i].value;
        about->flags = 0;
        return 0;
    }
    case VIDIOC_G_CTRL:
        return get(((struct v4l2_control *)argument)->id, &((struct v4l2_control *)argument)->value);
    case VIDIOC_S_CTRL:
        return set(((struct v4l2_control *)argument)->id, ((struct v4l2_control *)argument)->value);
    case VIDIOC_G_EXT_CTRLS:
    case VIDIOC_S_EXT_CTRLS: {
        struct v4l2_ext_controls *many = argument;
        for (unsigned i = 0; i < many->count; i++) {
            struct v4l2_ext_control *one = &many->controls[i];
            int value = one->value;
            int failed = request == VIDIOC_S_EXT_CTRLS ? set(one->id, value) : get(one->id, &value);
            if (failed)
                return -1;
            one->value = value;
        }
        return 0;
    }
    }
    return refuse(ENOTTY);
}

static int open_camera(void)
{
    camera = memfd_create("camera", 0);
    if (ftruncate(camera, BUFFERS * ROOM))
        return -1;
    memory = mmap(NULL, BUFFERS * ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, camera, 0);
    return camera;
}

static int is_camera(const char *path)
{
    const char *ours = getenv("V4L2_CAMERA");
    return ours && path && !strcmp(path, ours);
}

#define OPENS(name)                                                                                \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = va_arg(more, mode_t);                                                        \
        va_end(more);                                                                              \
        if (is_camera(path))                                                                       \
            return open_camera();                                                                  \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);                             \
        return real(path, flags, mode);                                                            \
    }
OPENS(open)
OPENS(open64)

int ioctl(int handle, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (handle == camera && camera >= 0)
        return answer(request & 0xffffffff, argument);
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(handle, request, argument);
}
