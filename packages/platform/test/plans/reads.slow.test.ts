import { describeReads } from "./describe-reads.ts";

describeReads(100_000);
