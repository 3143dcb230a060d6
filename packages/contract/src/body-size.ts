/** The largest body of a request, in bytes: the 256 KiB of `PAYLOAD_TOO_LARGE`. Who hands requests on takes as much. */
export const maxBodyBytes = 256 * 1024;
