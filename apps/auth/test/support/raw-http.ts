import { connect } from "node:net";

/** Sends a request exactly as written, and returns everything received until the server closes the connection. */
export function sendRaw(port: number, lines: readonly string[], body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.once("close", () => resolve(text));
    socket.once("error", reject);
  });
}
