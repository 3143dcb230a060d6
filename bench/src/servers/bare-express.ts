import express from "express";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";
import { walletPage } from "./wallet-page.ts";

// The cost of Express alone: no checks, no limits, no log.
const app = express();
app.get("/api/v1/wallets", (_req, res) => {
  res.json(walletPage);
});

await serve(() => listenOnLoopback(app));
