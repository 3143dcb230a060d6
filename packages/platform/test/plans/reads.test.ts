import { describeReads } from "./describe-reads.ts";

describeReads(20_000, { isQuick: true });
