import { invalidField, maxBodyBytes, Problem, type OperationPolicy } from "@gateway/contract";
import type { Request } from "express";

/** The bytes as received, or null. Refuses a body where none is expected, like the gateway. */
export async function readCallBody(
  req: Request,
  { hasBody }: Pick<OperationPolicy, "hasBody">,
): Promise<Buffer | null> {
  const isSent = req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
  if (!isSent) {
    return null;
  }
  if (!hasBody) {
    throw invalidField("body", "is not accepted by this operation; send none");
  }
  if (req.headers["content-encoding"] !== undefined) {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send the body uncompressed.");
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // A request without an encoding is a stream of buffers.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBodyBytes) {
      throw new Problem("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, {
        // The rest of the body is not read.
        headers: { Connection: "close" },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
