import type { Response } from "express";

/** Sends a document that is never cached, because it has a nonce or was made for one request. */
export function sendDocument(res: Response, status: number, document: string): void {
  res.status(status).set({ "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8" });
  res.end(document);
}
