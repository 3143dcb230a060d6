import { describeReads } from "./describe-reads.ts";
import { worstStatistics } from "./statistics.ts";

describeReads({ statistics: worstStatistics, modes: ["force_generic_plan"] });
