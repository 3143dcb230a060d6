import { listFontFiles, logoSvg, readBaseStylesheet } from "@gateway/design";
import express, { Router, type Response } from "express";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commonPasswords } from "./common-passwords.ts";
import { minPasswordLength } from "./password-rules.ts";

const folder = fileURLToPath(new URL("../../assets", import.meta.url));
/** The package's bundle for a script element. It defines `SimpleWebAuthnBrowser`. */
const webauthn = fileURLToPath(
  new URL("../dist/bundle/index.umd.min.js", import.meta.resolve("@simplewebauthn/browser")),
);

/** Serves styles, fonts, scripts and the icon. Browsers cache them and revalidate each time. */
export function createAssets(): Router {
  const options = {
    index: false as const,
    redirect: false,
    setHeaders: (res: Response) => {
      res.setHeader("Cache-Control", "no-cache");
    },
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use("/assets/webauthn.js", express.static(webauthn, options));
  for (const { name, file } of listFontFiles()) {
    router.use(`/assets/${name}`, express.static(file, options));
  }
  serveText(router, { path: "/assets/icon.svg", type: "svg", text: logoSvg });
  serveText(router, {
    path: "/assets/style.css",
    type: "css",
    text: `${readBaseStylesheet()}\n${readFileSync(join(folder, "style.css"), "utf8")}`,
  });
  serveText(router, {
    path: "/assets/password-rules.js",
    type: "text/javascript",
    text: `export const minLength = ${minPasswordLength};\nexport const common = ${JSON.stringify(commonPasswords)};\n`,
  });
  router.use("/assets", express.static(folder, options));
  return router;
}

function serveText(router: Router, { path, type, text }: { path: string; type: string; text: string }): void {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  router.get(path, (_req, res) => {
    res.setHeader("Cache-Control", "no-cache");
    res.setHeader("ETag", etag);
    res.type(type).send(text);
  });
}
