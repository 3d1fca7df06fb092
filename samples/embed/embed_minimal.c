/* SPDX-License-Identifier: MIT */
/* The embedding manual in one file: guest memory, a command list, a picture. Plays the part of an emulator whose
 * guest clears a framebuffer, draws a triangle and shows it. Guide: renderer/EMBEDDING.md. In C++: embed_minimal.cpp.
 *
 *     embed_minimal_c [software|vulkan|validate] [OUT.ppm] [SCALE]
 *
 * SCALE, 1 to 8, is the internal resolution: pictures have SCALE times the size.
 */
#include <picavk/picavk.h>
#include <picavk/picavk_scale.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the guest keeps its things, as physical addresses. */
#define VRAM 0x18000000u
#define FCRAM 0x20000000u
#define COLOR_BUFFER (VRAM)
#define SCREEN_BUFFER (VRAM + 0x100000)
#define COMMAND_LIST (FCRAM)
#define VERTICES (FCRAM + 0x10000)
#define WIDTH 240u /* of the top screen, which is mounted turned by 90 degrees */
#define HEIGHT 400u

static unsigned char vram[6 * 1024 * 1024];
static unsigned char fcram[1024 * 1024]; /* the console has 128 MiB; what is missing reads as 0 */

/* A command list: the value, then the register with the byte mask. */
static uint32_t* list = (uint32_t*)(void*)fcram;
static uint32_t words = 0;

static void write_register(uint32_t id, uint32_t value)
{
    list[words++] = value;
    list[words++] = id | 0xFu << 16;
}

/* mov o0, v0; mov o1, v1; end. One operand descriptor: xyzw -> xyzw. */
static void upload_program(void)
{
    write_register(0x2CB, 0); /* VSH_CODETRANSFER_INDEX */
    write_register(0x2CC, 0x4C000000);
    write_register(0x2CC, 0x4C201000);
    write_register(0x2CC, 0x88000000);
    write_register(0x2BF, 1); /* VSH_CODETRANSFER_END */
    write_register(0x2D5, 0); /* VSH_OPDESCS_INDEX */
    write_register(0x2D6, 0x0000036F);
    write_register(0x2BA, 0x7FFF0000); /* VSH_ENTRYPOINT 0 */
    write_register(0x04F, 2);          /* SH_OUTMAP_TOTAL */
    write_register(0x050, 0x03020100); /* o0: position */
    write_register(0x051, 0x0B0A0908); /* o1: colour */
    write_register(0x2BD, 3);          /* VSH_OUTMAP_MASK */
    write_register(0x24A, 1);          /* VSH_OUTMAP_TOTAL1, minus 1 */
    write_register(0x251, 1);          /* VSH_OUTMAP_TOTAL2, minus 1 */
}

/* Two attributes of four floats each, one behind the other. */
static void describe_vertices(void)
{
    write_register(0x200, VERTICES >> 3); /* ATTRIBBUFFERS_LOC */
    write_register(0x201, 0xFF);          /* ATTRIBBUFFERS_FORMAT_LOW: 4 x float, twice */
    write_register(0x202, 1u << 28);      /* ATTRIBBUFFERS_FORMAT_HIGH: count minus 1 */
    write_register(0x203, 0);             /* ATTRIBBUFFER0_OFFSET */
    write_register(0x204, 0x10);          /* ATTRIBBUFFER0_CONFIG1: attributes 0, 1 */
    write_register(0x205, 32u << 16 | 2u << 28);
    write_register(0x242, 1);          /* VSH_NUM_ATTR, minus 1 */
    write_register(0x2B9, 0xA0000001); /* VSH_INPUTBUFFER_CONFIG */
    write_register(0x2BB, 0x10);       /* attribute i goes to v<i> */
}

static void describe_fragments(void)
{
    static const uint32_t stages[6] = {0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8};
    uint32_t i;
    for (i = 0; i < 6; i++) {
        /* TEXENV_SOURCE: the primary colour, then what came before; replace, no scale. */
        write_register(stages[i], i == 0 ? 0 : 0x000F000F);
        write_register(stages[i] + 1, 0);
        write_register(stages[i] + 2, 0);
        write_register(stages[i] + 4, 0);
    }
    write_register(0x040, 0);          /* no culling */
    write_register(0x041, 0x45E000);   /* VIEWPORT_WIDTH: 120 as float24 */
    write_register(0x043, 0x469000);   /* VIEWPORT_HEIGHT: 200 */
    write_register(0x04D, 0xBF0000);   /* DEPTHMAP_SCALE: -1 */
    write_register(0x06D, 1);          /* DEPTHMAP_ENABLE */
    write_register(0x068, 0);          /* VIEWPORT_XY */
    write_register(0x100, 0x00000100); /* COLOR_OPERATION: blend */
    write_register(0x101, 0x01010000); /* BLEND_FUNC: source + 0 */
    write_register(0x104, 0);          /* no alpha test */
    write_register(0x105, 0);          /* no stencil test */
    write_register(0x107, 0x0F00);     /* no depth test, all colours written */
    write_register(0x112, 0xF);        /* COLORBUFFER_READ */
    write_register(0x113, 0xF);        /* COLORBUFFER_WRITE */
    write_register(0x117, 2);          /* COLORBUFFER_FORMAT: RGBA8 */
    write_register(0x11D, COLOR_BUFFER >> 3);
    write_register(0x11E, WIDTH | (HEIGHT - 1) << 12 | 1u << 24);
}

static void draw_triangles(uint32_t vertices)
{
    write_register(0x25E, 1);           /* PRIMITIVE_CONFIG: a list of triangles */
    write_register(0x25F, 1);           /* RESTART_PRIMITIVE */
    write_register(0x227, 0x80000000u); /* INDEXBUFFER_CONFIG: no indices, as citro3d sets it */
    write_register(0x228, vertices);    /* NUMVERTICES */
    write_register(0x22A, 0);           /* VERTEX_OFFSET */
    write_register(0x253, 1);           /* GEOSTAGE_CONFIG2: arrays */
    write_register(0x245, 0);           /* START_DRAW_FUNC0: drawing */
    write_register(0x22E, 1);           /* DRAWARRAYS */
    write_register(0x245, 1);
    write_register(0x253, 0);
}

static void on_report(void* user, PicavkReportKind kind, const char* cause, const char* detail)
{
    (void)user, (void)kind;
    fprintf(stderr, "%s: %s\n", cause, detail);
}

static void on_interrupt(void* user, PicavkInterrupt interrupt)
{
    ++((int*)user)[interrupt];
}

static void check(PicavkContext* context, PicavkResult result)
{
    if (result == PICAVK_OK)
        return;
    fprintf(stderr, "embed_minimal: error %d: %s\n", (int)result, picavk_message(context));
    exit(1);
}

int main(int argc, char** argv)
{
    static const float triangle[3][8] = {{-0.8f, -0.8f, -0.5f, 1, 1, 0, 0, 1},
                                         {0.8f, -0.8f, -0.5f, 1, 0, 1, 0, 1},
                                         {0, 0.8f, -0.5f, 1, 0, 0, 1, 1}};
    const char* backend = argc > 1 ? argv[1] : "software";
    const char* out = argc > 2 ? argv[2] : "embed_minimal.ppm";
    const uint32_t size = WIDTH | HEIGHT << 16;
    const PicavkRegion regions[2] = {{VRAM, sizeof vram, vram}, {FCRAM, sizeof fcram, fcram}};
    /* RGB8, in the first of the screen's two buffers, which is shown */
    const PicavkFramebuffer framebuffer = {sizeof(PicavkFramebuffer), 0, SCREEN_BUFFER, 0, WIDTH * 3, 1, 0};
    PicavkCreateInfo info;
    PicavkContext* context;
    uint32_t width, height;
    unsigned char* picture;
    size_t bytes;
    int interrupts[6] = {0};
    char message[256];
    FILE* file;
    size_t i;

    /* 1. A context over the emulator's memory. */
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    info.backend = strcmp(backend, "vulkan") == 0     ? PICAVK_BACKEND_VULKAN
                   : strcmp(backend, "validate") == 0 ? PICAVK_BACKEND_VALIDATE
                                                      : PICAVK_BACKEND_SOFTWARE;
    info.regions = regions;
    info.region_count = 2;
    info.scale = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
    info.user = interrupts;
    info.interrupt = on_interrupt;
    info.report = on_report;
    if (picavk_create(&info, &context, message, sizeof message) != PICAVK_OK) {
        fprintf(stderr, "embed_minimal: %s\n", message);
        return 1;
    }

    /* 2. The guest's CPU writes vertices and a command list. Tell picavk before and after. */
    check(context, picavk_will_write(context, FCRAM, sizeof fcram));
    memcpy(fcram + (VERTICES - FCRAM), triangle, sizeof triangle);
    upload_program();
    describe_vertices();
    describe_fragments();
    draw_triangles(3);
    write_register(0x010, 0x12345678); /* the list ends: interrupt P3D */
    while (words % 4 != 0)
        list[words++] = 0;
    check(context, picavk_did_write(context, FCRAM, sizeof fcram));

    /* 3. What its GX service asks for: clear, draw, bring the tiles to the screen's rows of RGB8. */
    check(context, picavk_memory_fill(context, COLOR_BUFFER, COLOR_BUFFER + WIDTH * HEIGHT * 4, 0x404040FF, 32, 0));
    check(context, picavk_submit_command_list(context, COMMAND_LIST, words * 4));
    check(context, picavk_display_transfer(context, COLOR_BUFFER, SCREEN_BUFFER, size, size, 1u << 12));

    /* 4. Its GSP service points the top screen there, and the frame ends. */
    check(context, picavk_set_framebuffer(context, PICAVK_SCREEN_TOP, &framebuffer));
    check(context, picavk_end_frame(context));

    /* 5. The host shows it: a picture of SCALE times the screen's size. */
    check(context, picavk_screen_size(context, PICAVK_SCREEN_TOP, &width, &height));
    bytes = (size_t)width * height * 4;
    picture = malloc(bytes);
    if (picture == NULL)
        return fprintf(stderr, "embed_minimal: no memory for the picture\n"), 1;
    check(context, picavk_read_screen(context, PICAVK_SCREEN_TOP, picture, bytes));
    file = fopen(out, "wb");
    if (file == NULL)
        return fprintf(stderr, "embed_minimal: cannot write %s\n", out), 1;
    fprintf(file, "P6\n%u %u\n255\n", (unsigned)width, (unsigned)height);
    for (i = 0; i < bytes; i += 4)
        fwrite(picture + i, 1, 3, file);
    fclose(file);
    free(picture);
    printf("%s: %d command list\n", out, interrupts[PICAVK_INTERRUPT_P3D]);
    picavk_destroy(context);
    return 0;
}
