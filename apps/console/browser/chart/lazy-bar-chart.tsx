import { lazy, Suspense } from "react";
import { Waiting } from "../parts/shown/states.tsx";
import type { BarChartOptions } from "./bar-chart.tsx";

const Loaded = lazy(() => import("./bar-chart.tsx").then(({ BarChart }) => ({ default: BarChart })));

/** The chart, fetched where one is shown. Its box has the final height before. */
export function LazyBarChart(options: BarChartOptions) {
  return (
    <Suspense fallback={<Waiting className={options.hasAxes ? "chart" : "chart strip"} />}>
      <Loaded {...options} />
    </Suspense>
  );
}
