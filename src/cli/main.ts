#!/usr/bin/env node
import { keepCompiledCode } from "../transports/node/compile-cache.ts";
import { kubedouble } from "./kubedouble.ts";

keepCompiledCode();
process.exit(await kubedouble(process.argv.slice(2)));
