import type { IncomingMessage } from "node:http";

const limitBytes = 1_048_576;

/**
 * The bytes exactly as they came, or null past 1 MiB: then the rest is thrown away as it comes, so that the answer
 * arrives.
 */
export async function readBody(req: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) {
      req.resume();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
