// Runs after `npm install`, under any installed Node since version 12, so it is plain CommonJS.
// npm scripts find `node_modules/.bin/node` first on their PATH. The packages node-linux-* bring that
// Node; npm 10 does not link their binary when two of them are listed, so the link is made here.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const wanted = [22, 19];
const root = path.join(__dirname, "..");
const bundled = path.join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");

if (fs.existsSync(bundled)) {
  linkBundledNode();
} else if (isOlder(process.versions.node, wanted)) {
  console.error(
    `Gateway needs Node ${wanted.join(".")} or later; this is ${process.versions.node}, and no bundled Node was installed for ` +
      `${process.platform}-${process.arch}. Install Node 24, or run npm install without --omit=optional.`,
  );
  process.exit(1);
}

function linkBundledNode() {
  const bin = path.join(root, "node_modules", ".bin");
  const link = path.join(bin, "node");
  if (fs.existsSync(link)) {
    return;
  }
  fs.mkdirSync(bin, { recursive: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.relative(bin, bundled), link);
}

function isOlder(version, minimum) {
  const [major, minor] = version.split(".").map(Number);
  return major < minimum[0] || (major === minimum[0] && minor < minimum[1]);
}
