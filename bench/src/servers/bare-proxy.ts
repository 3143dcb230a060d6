import { Pool } from "undici";
import { pipeline } from "node:stream";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BareProxyOptions = { upstreamUrl: string };

// What one would write: hands every request on, and its answer back. No check, no limit, no log, no deadline.
await serve(({ upstreamUrl }: BareProxyOptions) => {
  const pool = new Pool(upstreamUrl, { pipelining: 1, allowH2: false });
  return listenOnLoopback(async (req, res) => {
    try {
      const { statusCode, headers, body } = await pool.request({
        path: req.url ?? "/",
        method: req.method as "GET",
        headers: { accept: "application/json" },
        body: req.method === "GET" ? null : req,
      });
      res.writeHead(statusCode, headers);
      pipeline(body, res, () => {});
    } catch {
      res.writeHead(502).end();
    }
  });
});
