/**
 * `node tests/nightly/main.ts rows.jsonl ...`: prints what moved over these nights, as the text of an issue, or
 * nothing.
 */
import { readFileSync } from "node:fs";
import { findMoves, renderMoves } from "./compare-nights.ts";
import { parseRows } from "./nightly-row.ts";

const rows = process.argv.slice(2).flatMap((file) => parseRows(readFileSync(file, "utf8")));
process.stdout.write(renderMoves(findMoves(rows)));
