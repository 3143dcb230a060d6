import { Suspense } from "react";
import { Waiting } from "../parts/shown/states.tsx";
import type { BarChartOptions } from "./bar-chart.tsx";
import { lazyPart } from "../parts/page/lazy-part.ts";

const Loaded = lazyPart(() => import("./bar-chart.tsx"), "BarChart");

/** The chart, fetched where one is shown. Its box has the final height before. */
export function LazyBarChart(options: BarChartOptions) {
  return (
    <Suspense fallback={<Waiting className={options.hasAxes ? "chart" : "chart strip"} />}>
      <Loaded {...options} />
    </Suspense>
  );
}
