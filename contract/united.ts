/** Why only managers delete a record that unites records of several first finders. The page recognises it. */
export const UNITED =
  'This record unites records of several fellows. Only a manager can delete it, or undo the merge first.'
