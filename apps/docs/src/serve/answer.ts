import { unbuiltPage } from "@gateway/process";
import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { extname } from "node:path";
import { findFile, type FoundFile } from "./find-file.ts";

export type AnswererDeps = {
  folder: string;
  /** The reason of a failed build, when there is no site. */
  failure(): string | null;
};

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

/** Each page carries its own policy, except for the framing rule, which works only in a header. */
const headersOfAll = {
  "Content-Security-Policy": "frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Serves GET and HEAD from the folder of the built site. */
export function createAnswerer(deps: AnswererDeps): RequestListener {
  return (req, res) => {
    answer(req, res, deps).catch((error: unknown) => {
      // A file was unreadable, or a client disconnected: the server continues.
      send(res, { status: 500, type: types[".txt"] ?? "", content: error instanceof Error ? error.name : "Error" });
    });
  };
}

async function answer(req: IncomingMessage, res: ServerResponse, deps: AnswererDeps): Promise<void> {
  req.resume();
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.setHeader("Allow", "GET, HEAD");
    return send(res, {
      status: 405,
      type: types[".txt"] ?? "",
      content: "This is a site of files: GET and HEAD only.\n",
    });
  }
  const [path = "/"] = (req.url ?? "/").split(/[?#]/, 1);
  const accepted = String(req.headers["accept-encoding"] ?? "");
  const found = await findFile(deps.folder, path, accepted);
  if (found?.kind === "redirect") {
    res.setHeader("Location", found.to);
    return send(res, { status: 308, type: types[".txt"] ?? "", content: "" });
  }
  if (found) {
    return sendFile(req, res, found);
  }
  const missing = await findFile(deps.folder, "/404.html", accepted);
  if (missing?.kind === "file") {
    setEncoding(res, missing);
    return send(res, { status: 404, type: types[".html"] ?? "", content: missing.content });
  }
  sendUnbuilt(res, deps.failure());
}

function setEncoding(res: ServerResponse, { encoding }: FoundFile): void {
  res.setHeader("Vary", "Accept-Encoding");
  if (encoding !== null) {
    res.setHeader("Content-Encoding", encoding);
  }
}

function sendFile(req: IncomingMessage, res: ServerResponse, found: FoundFile): void {
  const { path, content } = found;
  setEncoding(res, found);
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  // The name of such a file changes with its content.
  const isForEver = /\.[0-9a-f]{10}\.\w+$/.test(path);
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", isForEver ? "public, max-age=31536000, immutable" : "no-cache");
  const known = (req.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  const type = types[extname(path)] ?? "application/octet-stream";
  send(res, known.includes(etag) ? { status: 304, type, content: "" } : { status: 200, type, content });
}

function sendUnbuilt(res: ServerResponse, failure: string | null): void {
  res.setHeader("Retry-After", "2");
  res.setHeader("Cache-Control", "no-store");
  send(res, { status: 503, type: types[".html"] ?? "", content: unbuiltPage("documentation", "apps/docs", failure) });
}

function send(
  res: ServerResponse,
  { status, type, content }: { status: number; type: string; content: string | Buffer },
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const length = status === 304 ? {} : { "Content-Length": Buffer.byteLength(content) };
  res.writeHead(status, { ...headersOfAll, "Content-Type": type, ...length });
  // Node omits the body of a response to HEAD.
  res.end(content);
}
