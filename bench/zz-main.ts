import { benchmarks } from "./zz.bench.ts";
export async function main() { for (const b of benchmarks) console.log(await b.measure()); }
