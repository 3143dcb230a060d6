import type { IncomingMessage } from "node:http";

const limitBytes = 1_048_576;

/**
 * The exact bytes, or null past 1 MiB. The rest is then discarded as it arrives, so that the sender gets the response.
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
