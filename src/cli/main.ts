#!/usr/bin/env node
import { kubedouble } from "./kubedouble.ts";

process.exit(await kubedouble(process.argv.slice(2)));
