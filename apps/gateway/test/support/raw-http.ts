import { connect } from "node:net";
import type { Answer } from "./http-client.ts";

const deadlineMs = 60_000;

/**
 * Sends exactly these bytes over its own connection and reads one response. Rejects if the connection closes without
 * one.
 */
export async function askRaw(port: number, request: string | Buffer): Promise<Answer> {
  const [answer] = await askRawInTurn(port, [request]);
  if (!answer) {
    throw new Error("There was no answer.");
  }
  return answer;
}

/** Sends the requests over one connection, each after the response to the previous one. */
export function askRawInTurn(port: number, requests: readonly (string | Buffer)[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const answers: Answer[] = [];
    let received = Buffer.alloc(0);
    const isHead = (): boolean => String(requests[answers.length]).startsWith("HEAD ");
    const send = (): void => void socket.write(requests[answers.length] ?? "");
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(deadlineMs, () =>
      fail(new Error(`No whole answer within ${deadlineMs} ms, but: ${String(received)}`)),
    );
    socket.on("connect", send);
    socket.on("error", fail);
    socket.on("close", () =>
      reject(new Error(`The connection closed before a whole answer, after: ${String(received)}`)),
    );
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let read = readAnswer(received, isHead()); read; read = readAnswer(received, isHead())) {
        received = received.subarray(read.lengthBytes);
        answers.push(read.answer);
        if (answers.length === requests.length) {
          resolve(answers);
          socket.destroy();
          return;
        }
        send();
      }
    });
  });
}

/** Null while the response is not complete. Our responses always have their length. */
function readAnswer(bytes: Buffer, isHead: boolean): { answer: Answer; lengthBytes: number } | null {
  const headLength = bytes.indexOf("\r\n\r\n");
  if (headLength === -1) {
    return null;
  }
  const [statusLine = "", ...lines] = bytes.subarray(0, headLength).toString("latin1").split("\r\n");
  const rawHeaders = lines.flatMap((line) => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  const headers = headersOf(rawHeaders);
  const bodyLength = isHead ? 0 : Number(headers["content-length"]);
  const lengthBytes = headLength + 4 + bodyLength;
  if (bytes.length < lengthBytes) {
    return null;
  }
  const text = bytes.subarray(headLength + 4, lengthBytes).toString();
  const json: unknown = text === "" ? undefined : JSON.parse(text);
  return { answer: { status: Number(statusLine.split(" ")[1]), headers, rawHeaders, text, json }, lengthBytes };
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers[rawHeaders[at]?.toLowerCase() ?? ""] = rawHeaders[at + 1] ?? "";
  }
  return headers;
}
