"""A robot among obstacles: what touches, how near things come, and when on a trajectory.

`environment` is the front door: `CollisionEnv` and its `check`. What it views stands in `items`
(obstacles, attached shapes) and `planning` (`PlanningScene`, obstacles with ids); what is let pass
in `exclusions`; which pairs are looked at in `pairs`; what comes out in `contact`, `batch` and
`trajectory`. `prepared` hands all of it to the kernel. Scene files are read by `file` and
`moveit`, motions by `motionfile`; `picture` draws.
"""
