import { printError } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE, type OperatorContext } from './command.ts'
import { wrapped } from './lines.ts'

/**
 * Runs a command and returns its exit code. Prints a failure as a sentence where there is one, else with all details.
 */
export async function runCommand(
  command: Command,
  context: OperatorContext & { complain: (line: string) => void },
  args: string[],
): Promise<number> {
  try {
    const code = await command.run(context, args)
    if (code === EXIT_USAGE) context.complain(usageOf(command))
    return code
  } catch (error) {
    context.complain(error instanceof StartupError ? wrapped(error.message).join('\n') : printError(error))
    return 1
  }
}

export const usageOf = ({ name, usage }: Command) =>
  wrapped(`npm run operator -- ${name} ${usage}`.trim(), '  ').join('\n')
